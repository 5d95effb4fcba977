import type { AdmissionOutcome, AdmissionRequest, RateState } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import type { ScriptCall } from '../scripts/script.js';
import { readBalance } from './balance.js';

/** Lua compares amounts as doubles. */
const EXACT_LIMIT = 2n ** 53n;
const CONCURRENCY_RETRY_MS = 1_000;

/** Throws a RangeError for a hold that Lua could not compare exactly. The order of `args` is that of `admit.lua`. */
export function admitCall(keys: RedisKeys, request: AdmissionRequest, leaseMs: number, givenMs: string): ScriptCall {
  if (request.holdNanoUsd < 0n || request.holdNanoUsd >= EXACT_LIMIT) {
    throw new RangeError(`holdNanoUsd must be 0 to 2^53 - 1, not ${request.holdNanoUsd}`);
  }
  const { spendCap } = request;
  return {
    keys: [
      keys.epoch,
      keys.account(request.accountId),
      keys.hold(request.requestId),
      keys.openHolds,
      keys.leases(request.keyId),
      keys.rate(request.keyId),
      keys.settled(request.requestId),
      ...(spendCap === undefined ? [] : [keys.spending(spendCap.spendingKeyId)]),
    ],
    args: [
      request.requestId,
      request.accountId,
      request.keyId,
      request.holdNanoUsd.toString(),
      request.holdExpiresAtMs.toString(),
      JSON.stringify(request.about),
      request.requestsPerMinute.toString(),
      request.concurrency.toString(),
      leaseMs.toString(),
      givenMs,
      request.isFree === true ? '1' : '',
      ...(spendCap === undefined
        ? []
        : [spendCap.spendingKeyId, spendCap.capNanoUsd, spendCap.spentNanoUsd, spendCap.version]),
    ],
  };
}

type AdmitReply =
  | readonly ['rebuilding']
  | readonly [
      outcome: 'admitted' | 'concurrency' | 'rate' | 'spend_cap' | 'funds',
      remaining: number,
      resetMs: number,
      detail: string,
      balance: string,
    ];

export function readAdmitReply(reply: unknown, request: AdmissionRequest): AdmissionOutcome {
  const [outcome, remaining = 0, resetMs = 0, detail = '', balance = ''] = reply as AdmitReply;
  const rate: RateState = { limit: request.requestsPerMinute, remaining, resetMs };
  const balanceNanoUsd = readBalance(balance);
  switch (outcome) {
    case 'rebuilding':
      return { outcome };
    case 'admitted':
      return { outcome, rate };
    case 'concurrency':
      return { outcome, rate, balanceNanoUsd, retryAfterMs: CONCURRENCY_RETRY_MS };
    case 'rate':
      return { outcome, rate, balanceNanoUsd, retryAfterMs: Number(detail) };
    case 'spend_cap':
      return { outcome, rate, balanceNanoUsd, takenNanoUsd: BigInt(detail) };
    case 'funds':
      return { outcome, rate, balanceNanoUsd, missingNanoUsd: request.holdNanoUsd - BigInt(detail) };
  }
}
