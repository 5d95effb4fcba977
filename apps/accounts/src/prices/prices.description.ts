import type { RouteDescription } from '@gateway/api-description';
import { UNITS } from '@gateway/contracts';
import { z } from 'zod';
import { pageOf, time } from '../http/answers.js';
import { instant, text } from '../http/fields.js';

const perMillion = z.partialRecord(
  z.enum(UNITS),
  z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal string of USD for a million, such as "2.5"'),
  'must be prices by unit, such as {"output_token": "2.5"}',
);

export const newOverride = z.strictObject({
  model: z.string(),
  /** Default: now. A past time is refused, because admitted requests have their price already. */
  from: instant.optional(),
  /** Null: the catalogue's price applies again. */
  per_million: perMillion.nullable(),
  long_prompt_per_million: perMillion.optional(),
  reason: text(500).trim().min(1),
});

const shownPrices = z.record(z.string(), z.string().optional()).nullable();

export const priceRecord = z
  .object({
    id: z.string(),
    model: z.string(),
    from: time,
    per_million: shownPrices,
    long_prompt_per_million: shownPrices,
    reason: z.string(),
    created_at: time,
  })
  .meta({ id: 'PriceOverride' });

export const PRICES = {
  list: {
    id: 'accounts.prices',
    summary: 'List the prices of an account',
    answers: { 200: pageOf(priceRecord) },
    examples: { all: { path: { id: '{accountId}' } } },
  },
  add: {
    id: 'accounts.addPrice',
    summary: 'Set a price of an account',
    description: 'Append-only: a receipt refers to its price version for ever.',
    body: newOverride,
    answers: { 201: priceRecord },
    examples: {
      cheaper: {
        path: { id: '{accountId}' },
        body: { model: 'gm-3.5-flash-lite', per_million: { output_token: '2' }, reason: 'contract of May' },
      },
    },
  },
} satisfies Record<string, RouteDescription>;
