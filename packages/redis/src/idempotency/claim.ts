import type { RequestId } from '@gateway/contracts';
import { readBalance } from '../admission/balance.js';
import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';
import type { PackedBody } from './complete.js';
import { type NewIdempotencyClaim, recordKey } from './idempotency-claim.js';

interface NotClaimed {
  /** The account's balance; null if Redis does not know its reserve. */
  readonly balanceNanoUsd: bigint | null;
}

/** The response of an earlier request with its body as stored. For a spilled body, `body` is its length in digits. */
export interface PackedClaimReply extends NotClaimed {
  readonly outcome: 'answered';
  readonly requestId: RequestId;
  readonly status: number;
  readonly contentType: string;
  readonly encoding: PackedBody['encoding'];
  readonly body: Buffer;
  readonly changes?: Readonly<Record<string, string>>;
}

/** The outcomes are also values of a metric's label. */
export type ClaimReply =
  /** This request owns the record until it completes or releases it, or its lease expires. */
  | { readonly outcome: 'began' }
  /** The key was used for other work. */
  | (NotClaimed & { readonly outcome: 'conflict' })
  /** Its request is still running. `freeInMs`: until it counts as abandoned; null while an edge renews the claim. */
  | (NotClaimed & { readonly outcome: 'in_progress'; readonly freeInMs: number | null })
  /** Its request has lost edge and worker. Settle it at zero, then claim again. */
  | (NotClaimed & { readonly outcome: 'abandoned'; readonly requestId: RequestId })
  /** An earlier request was charged without a whole response, or it completed and its body is not stored. */
  | (NotClaimed & { readonly outcome: 'charged' | 'not_kept'; readonly requestId: RequestId })
  | PackedClaimReply;

export interface ClaimTimes {
  readonly leaseMs: number;
  readonly retentionMs: number;
  readonly abandonedAfterMs: number;
  readonly givenMs: string;
}

export const claimCall = (
  keys: MoneyKeys,
  claim: NewIdempotencyClaim,
  { leaseMs, retentionMs, abandonedAfterMs, givenMs }: ClaimTimes,
): ScriptCall => ({
  keys: [recordKey(keys, claim), keys.account(claim.accountId)],
  args: [
    jsonArgs({
      requestId: claim.requestId,
      fingerprint: claim.fingerprint,
      endpoint: claim.work.endpoint,
      model: claim.work.model,
      leaseMs: `${leaseMs}`,
      retentionMs: `${retentionMs}`,
      abandonedAfterMs: `${abandonedAfterMs}`,
      holdPrefix: keys.hold(''),
      settledPrefix: keys.settled(''),
      givenMs,
    }),
  ],
});

/** Reads the script's reply, whose texts are bytes. */
export function readClaimReply(reply: unknown): ClaimReply {
  const [outcome, balance, requestId, status, contentType, encoding, body, changes] = reply as readonly Buffer[];
  const balanceNanoUsd = balance === undefined ? null : readBalance(String(balance));
  if (String(outcome) === 'in_progress') {
    const freeInMs = String(status ?? '');
    return { outcome: 'in_progress', balanceNanoUsd, freeInMs: freeInMs === '' ? null : Number(freeInMs) };
  }
  return {
    outcome: String(outcome),
    ...(balance !== undefined && { balanceNanoUsd }),
    ...(requestId !== undefined && { requestId: String(requestId) }),
    ...(body !== undefined && {
      status: Number(status),
      contentType: String(contentType),
      encoding: String(encoding),
      body,
    }),
    ...(changes !== undefined && changes.length > 0 && { changes: JSON.parse(String(changes)) }),
  } as ClaimReply;
}
