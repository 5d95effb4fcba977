import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';
import { type ClaimOwner, recordKey, resultClaimOwner } from './idempotency-claim.js';

/** A body as Redis stores it, or the length of one that is stored elsewhere. */
export type PackedBody =
  | { readonly encoding: 'gzip' | 'identity'; readonly bytes: Buffer }
  | { readonly encoding: 'spilled'; readonly spilledBytes: number };

export interface PackedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly changes?: Readonly<Record<string, string>>;
  readonly body: PackedBody | undefined;
}

/** In the order of the script's replies 0 to 3. */
export const COMPLETE_OUTCOMES = ['lost', 'kept', 'full', 'not_kept'] as const;
/**
 * `lost`: another request owns the record. `full`: nothing changed, the account's share of that place is used up.
 * `not_kept`: the record says that the request completed, but its body is not stored.
 */
export type CompleteOutcome = (typeof COMPLETE_OUTCOMES)[number];

/** Bytes that one account may store in each place during one retention time. */
export interface StorageShares {
  readonly shareBytes: number;
  readonly spilledShareBytes: number;
}

export function completeCall(
  keys: MoneyKeys,
  owner: ClaimOwner,
  { status, contentType, changes, body }: PackedResponse,
  { retentionMs, shareBytes, spilledShareBytes }: StorageShares & { readonly retentionMs: number },
): ScriptCall {
  const isSpilled = body?.encoding === 'spilled';
  const stored = body === undefined || isSpilled ? Buffer.alloc(0) : body.bytes;
  return {
    keys: [
      recordKey(keys, owner),
      keys.idempotencyBytes(owner.accountId, isSpilled ? 'spilled' : 'redis'),
      recordKey(keys, resultClaimOwner(owner)),
    ],
    args: [
      jsonArgs({
        requestId: owner.requestId,
        keySha256: owner.keySha256,
        retentionMs: `${retentionMs}`,
        status: `${status}`,
        contentType,
        changes: changes === undefined ? '' : JSON.stringify(changes),
        encoding: body?.encoding ?? '',
        bytes: `${isSpilled ? body.spilledBytes : stored.length}`,
        shareBytes: `${isSpilled ? spilledShareBytes : shareBytes}`,
      }),
      stored,
    ],
  };
}
