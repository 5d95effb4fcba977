import {
  type AdmissionOutcome,
  type AdmissionRequest,
  LEAST_BALANCE_NANO_USD,
  type LimitScope,
  type RateState,
} from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import type { ScriptCall } from '../scripts/script.js';
import { readBalance } from './balance.js';

/** Lua compares amounts as doubles. */
const EXACT_LIMIT = 2n ** 53n;
const CONCURRENCY_RETRY_MS = 1_000;

/** Throws a RangeError for a hold that Lua could not compare exactly. The order of `args` is that of `admit.lua`. */
export function admitCall(keys: RedisKeys, request: AdmissionRequest, leaseMs: number, givenMs: string): ScriptCall {
  const { spendCap, holdRange } = request;
  checkExact('holdNanoUsd', request.holdNanoUsd);
  if (holdRange !== undefined) checkExact('mostNanoUsd', holdRange.mostNanoUsd);
  return {
    keys: [
      keys.epoch,
      keys.account(request.accountId),
      keys.hold(request.requestId),
      keys.openHolds,
      keys.settled(request.requestId),
      keys.leases(request.accountId),
      keys.rate(request.accountId),
      keys.leases(request.keyId),
      keys.rate(request.keyId),
      ...(spendCap === undefined ? [] : [keys.spending(spendCap.spendingKeyId)]),
    ],
    args: [
      request.requestId,
      request.accountId,
      request.keyId,
      request.holdNanoUsd.toString(),
      request.holdExpiresAtMs.toString(),
      JSON.stringify(request.about),
      request.accountLimits.requestsPerMinute.toString(),
      request.accountLimits.concurrency.toString(),
      request.keyLimits.requestsPerMinute.toString(),
      request.keyLimits.concurrency.toString(),
      leaseMs.toString(),
      givenMs,
      request.isFree === true ? '1' : '',
      holdRange?.fixedNanoUsd.toString() ?? '',
      holdRange?.mostNanoUsd.toString() ?? '',
      request.takesLess === true ? '1' : '',
      LEAST_BALANCE_NANO_USD.toString(),
      ...(spendCap === undefined
        ? []
        : [spendCap.spendingKeyId, spendCap.capNanoUsd, spendCap.spentNanoUsd, spendCap.version]),
    ],
  };
}

function checkExact(name: string, amount: bigint): void {
  if (amount < 0n || amount >= EXACT_LIMIT) throw new RangeError(`${name} must be 0 to 2^53 - 1, not ${amount}`);
}

type AdmitReply =
  | readonly ['rebuilding']
  | readonly [
      outcome: 'admitted' | 'concurrency' | 'rate' | 'debt' | 'spend_cap' | 'funds',
      limit: number,
      remaining: number,
      resetMs: number,
      detail: string,
      balance: string,
      scope: LimitScope | '',
    ];

export function readAdmitReply(reply: unknown): AdmissionOutcome {
  const [outcome, limit = 0, remaining = 0, resetMs = 0, detail = '', balance = '', scope = ''] = reply as AdmitReply;
  const rate: RateState = { limit, remaining, resetMs };
  const balanceNanoUsd = readBalance(balance);
  switch (outcome) {
    case 'rebuilding':
      return { outcome };
    case 'admitted':
      return { outcome, rate, holdNanoUsd: BigInt(detail) };
    case 'concurrency':
      return { outcome, rate, balanceNanoUsd, scope: scope || 'key', retryAfterMs: CONCURRENCY_RETRY_MS };
    case 'rate':
      return { outcome, rate, balanceNanoUsd, scope: scope || 'key', retryAfterMs: Number(detail) };
    case 'debt':
      return { outcome, rate, balanceNanoUsd };
    case 'spend_cap':
      return { outcome, rate, balanceNanoUsd, takenNanoUsd: BigInt(detail) };
    case 'funds':
      return { outcome, rate, balanceNanoUsd, missingNanoUsd: BigInt(detail) };
  }
}
