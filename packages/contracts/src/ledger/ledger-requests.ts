import { z } from 'zod';

/*
 * What `accounts` asks of billing, the only writer of the ledger. Amounts travel as digits: JSON has no bigint.
 */

const nanoUsd = z.string().regex(/^-?[1-9]\d{0,17}$/, 'must be a string of digits and not zero, in nano-USD');
const reference = z.string().min(1).max(200);
const reason = z.string().min(1).max(500);

/** `POST /internal/accounts/{id}/credits`. The same reference twice is one credit. */
export const creditRequest = z
  .strictObject({ amountNanoUsd: nanoUsd, kind: z.enum(['top_up', 'adjustment']), reason, reference })
  .refine(({ amountNanoUsd, kind }) => kind === 'adjustment' || !amountNanoUsd.startsWith('-'), {
    path: ['amountNanoUsd'],
    message: 'must be above zero; only an adjustment may be negative',
  });

export type CreditRequest = z.output<typeof creditRequest>;

/** `POST /internal/accounts/{id}/reversals`: reverses the ledger line with this kind and reference, once. */
export const reversalRequest = z.strictObject({ kind: z.enum(['settlement', 'credit']), reference, reason });

export type ReversalRequest = z.output<typeof reversalRequest>;

const posted = {
  /** The ledger transaction. */
  id: z.string(),
  /** False: an earlier request posted it. */
  isNew: z.boolean(),
  createdAt: z.iso.datetime(),
};

/** `reason`: that of the first request with this reference. */
export const postedCredit = z.object({ ...posted, reason: z.string() });

export type PostedCredit = z.output<typeof postedCredit>;

export const postedReversal = z.object({ ...posted, amountNanoUsd: nanoUsd.or(z.literal('0')) });

export type PostedReversal = z.output<typeof postedReversal>;
