import { createHash } from 'node:crypto';
import type { AccountId, RequestId } from '@gateway/contracts';
import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';
import { type PackedClaimReply, readClaimReply } from './claim.js';
import { type ClaimOwner, recordKey } from './idempotency-claim.js';

/** A request, as a customer names it who wants its response. */
export interface ResultOwner {
  readonly accountId: AccountId;
  readonly isTest: boolean;
  readonly requestId: RequestId;
}

/** A record under the request's own id. No client's key contains a line feed, so none can name it. */
export const resultClaimOwner = ({ accountId, isTest, requestId }: ResultOwner): ClaimOwner => ({
  accountId,
  isTest,
  requestId,
  keySha256: createHash('sha256').update(`request\n${requestId}`).digest('hex'),
});

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
