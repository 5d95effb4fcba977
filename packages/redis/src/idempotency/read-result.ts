import type { Endpoint } from '@gateway/contracts';
import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';
import { type PackedClaimReply, readClaimReply } from './claim.js';
import {
  type ClaimedWork,
  type ClaimOwner,
  type ResultOwner,
  recordKey,
  resultClaimOwner,
} from './idempotency-claim.js';

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

/** `work`: undefined in a record of a former release. */
export interface PackedResult extends PackedClaimReply {
  readonly work: ClaimedWork | undefined;
}

export type ResultReply =
  | { readonly outcome: 'running' | 'none'; readonly balanceNanoUsd: bigint | null }
  | PackedResult;

/** The reply has the form of a claim's, and the work of an answered request. */
export const readResultReply = (reply: unknown): ResultReply => {
  const [endpoint, model] = (reply as readonly unknown[]).slice(8).map(String);
  const work = endpoint && model ? { endpoint: endpoint as Endpoint, model } : undefined;
  return { ...readClaimReply(reply), work } as unknown as ResultReply;
};
