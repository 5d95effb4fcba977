import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';
import { type PackedClaimReply, readClaimReply } from './claim.js';
import { type ClaimOwner, type ResultOwner, recordKey, resultClaimOwner } from './idempotency-claim.js';

export function readResultCall(keys: MoneyKeys, owner: ResultOwner, givenMs: string): ScriptCall {
  const { accountId, requestId } = owner;
  const linkPrefix = recordKey(keys, { ...owner, keySha256: '' });
  return {
    keys: [recordKey(keys, resultClaimOwner(owner)), keys.account(accountId), keys.hold(requestId)],
    args: [jsonArgs({ requestId, accountId, linkPrefix, givenMs })],
  };
}

export const linkResultCall = (keys: MoneyKeys, owner: ClaimOwner, retentionMs: number): ScriptCall => ({
  keys: [recordKey(keys, resultClaimOwner(owner))],
  args: [jsonArgs({ keySha256: owner.keySha256, retentionMs: `${retentionMs}` })],
});

export type ResultReply =
  | { readonly outcome: 'running' | 'none'; readonly balanceNanoUsd: bigint | null }
  | PackedClaimReply;

/** The reply has the form of a claim's. */
export const readResultReply = (reply: unknown): ResultReply => readClaimReply(reply) as unknown as ResultReply;
