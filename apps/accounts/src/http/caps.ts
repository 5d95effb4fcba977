import { CAP_MEASURES, CAP_PERIODS, type Cap, type CapMeasure, type CappedPeriod } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import { z } from 'zod';
import { usd } from './fields.js';

/** One soft and one hard cap of each measure in each period. */
const MAX_CAPS = CAP_PERIODS.length * CAP_MEASURES.length * 2;

const period = z.enum(CAP_PERIODS, `must be one of ${CAP_PERIODS.join(', ')}`);
const hard = z.boolean('must be true (refuse requests) or false (only send an event)').default(true);
const positiveUsd = usd.refine((amount) => amount > 0n, 'must be above zero');
const count = z.int('must be a whole number').min(1, 'must be at least 1');

const cap = z.discriminatedUnion(
  'measure',
  [
    z.strictObject({ period, measure: z.literal('usd'), limit: positiveUsd, hard }),
    z.strictObject({ period, measure: z.literal('requests'), limit: count, hard }),
    z.strictObject({ period, measure: z.literal('tokens'), limit: count, hard }),
  ],
  `must be one of ${CAP_MEASURES.join(', ')}`,
);

const nameOf = (one: Pick<Cap, 'period' | 'measure' | 'hard'>): string =>
  `${one.hard ? 'hard' : 'soft'} cap of ${one.measure} by ${one.period}`;

/** The caps of a key or an account, as they are stored. Throws for two caps of one kind. */
export const caps = z
  .array(cap)
  .max(MAX_CAPS)
  .transform((given): readonly Cap[] => given.map((one) => ({ ...one, limit: one.limit.toString() })))
  .superRefine((given, context) => {
    const names = given.map(nameOf);
    names.forEach((name, index) => {
      if (names.indexOf(name) === index) return;
      context.addIssue({ code: 'custom', path: [index], message: `must be the only ${name}` });
    });
  });

const shown = (measure: CapMeasure, digits: string): string | number =>
  measure === 'usd' ? formatUsd(BigInt(digits)) : Number(digits);

const usedOf = ({ requests, tokens, cost }: CappedPeriod): Readonly<Record<CapMeasure, string>> => ({
  requests,
  tokens,
  usd: cost,
});

/** `used`: what is booked in the current period. */
export const capViews = (periods: readonly CappedPeriod[] = []) =>
  periods.flatMap((capped) =>
    capped.caps.map(({ measure, limit, hard: isHard }) => ({
      period: capped.period,
      measure,
      limit: shown(measure, limit),
      hard: isHard,
      used: shown(measure, usedOf(capped)[measure]),
      resets_at: capped.endsAtMs === null ? null : new Date(capped.endsAtMs).toISOString(),
    })),
  );
