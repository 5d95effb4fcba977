import { z } from 'zod';
import { FIRST_DAY, TOO_EARLY, text } from '../http/fields.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

const day = z.iso
  .date('must be a day such as 2026-11-21')
  .refine((date) => date >= FIRST_DAY, TOO_EARLY)
  .optional();
const startOf = (date: string): number => Date.parse(date);
const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, '2026-11-21'.length);

/** The query of a margin report, as the client sends it. */
export const marginPeriod = z.strictObject({
  from: day,
  to: day,
  group_by: z.enum(['day', 'model', 'vendor', 'account', 'endpoint']).default('day'),
  account_id: text(64).optional(),
  model: text(128).optional(),
  format: z.enum(['json', 'csv']).default('json'),
});

/** UTC days, the last one included. The default period is the last 30 days. */
export const marginQuery = (now: Date) =>
  marginPeriod
    .transform(({ from, to, group_by: groupBy, account_id: accountId, model, format }) => {
      const endMs = startOf(to ?? dayOf(now.getTime())) + DAY_MS;
      const startMs = from === undefined ? endMs - DEFAULT_DAYS * DAY_MS : startOf(from);
      return { from: new Date(startMs), to: new Date(endMs), groupBy, accountId, model, format };
    })
    .refine(({ from, to }) => from < to, { path: ['to'], message: 'must not be before from' })
    .refine(({ from, to }) => to.getTime() - from.getTime() <= MAX_DAYS * DAY_MS, {
      path: ['from'],
      message: `must be less than ${MAX_DAYS} days before to`,
    });

export type MarginGroup = z.output<ReturnType<typeof marginQuery>>['groupBy'];
