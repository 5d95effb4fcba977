import type { RouteDescription } from '@gateway/api-description';
import { queryBoolean } from '@gateway/contracts';
import { z } from 'zod';
import { jsonOrEvents, time, usdText } from '../http/answers.js';
import { text, usd } from '../http/fields.js';
import { reconciliationReport } from '../http/reconciliation-report.js';

export const newCredit = z
  .strictObject({
    amount_usd: usd,
    reason: text(500).trim().min(1),
    reference: text(200).regex(/\S/, 'must contain more than spaces'),
    kind: z.enum(['top_up', 'adjustment']).default('top_up'),
  })
  .refine(({ amount_usd, kind }) => amount_usd > 0n || (kind === 'adjustment' && amount_usd < 0n), {
    path: ['amount_usd'],
    message: 'must be above zero; only an adjustment may be negative',
  });

export const reversal = z.strictObject({
  /** The kind and the reference of the ledger line to reverse. */
  kind: z.enum(['settlement', 'credit']),
  reference: text(200).min(1),
  reason: text(500).trim().min(1),
});

export const reconciliationQuery = z.strictObject({ deep: queryBoolean.default(false) });

export const creditRecord = z.object({
  id: z.string(),
  account_id: z.string(),
  kind: z.string(),
  amount_usd: usdText,
  reason: z.string(),
  reference: z.string(),
  created_at: time,
});

export const reversalRecord = z.object({
  id: z.string(),
  account_id: z.string(),
  kind: z.literal('adjustment'),
  reverses: z.object({ kind: z.string(), reference: z.string() }),
  amount_usd: usdText,
  created_at: time,
});

/** An earlier request with the same reference did it. */
const twice = (record: z.ZodType) => ({
  201: record,
  200: { description: 'An earlier request with this reference did it', content: { 'application/json': record } },
});

export const MONEY = {
  credit: {
    id: 'accounts.credit',
    summary: 'Credit an account',
    description: 'The same reference twice is one credit.',
    body: newCredit,
    answers: twice(creditRecord),
    examples: {
      top_up: {
        path: { id: '{accountId}' },
        body: { amount_usd: '50', reason: 'invoice 17', reference: 'invoice-17' },
      },
    },
  },
  reverse: {
    id: 'accounts.reverse',
    summary: 'Reverse a line of the ledger',
    description: 'Posts a second line that takes the first one back. The same request twice is one reversal.',
    body: reversal,
    answers: twice(reversalRecord),
    examples: {
      credit: {
        path: { id: '{accountId}' },
        body: { kind: 'credit', reference: 'invoice-17', reason: 'paid by mistake' },
      },
    },
  },
  reconciliation: {
    id: 'reconciliation.get',
    summary: 'Compare the ledger with Redis',
    description: 'The expected value of each number is zero. `deep=true` also reads the whole ledger.',
    query: reconciliationQuery,
    answers: { 200: jsonOrEvents('FollowedReconciliation', reconciliationReport) },
    examples: { last: {} },
  },
} satisfies Record<string, RouteDescription>;
