import {
  type AdmissionOutcome,
  type AdmissionRequest,
  CAP_MEASURES,
  type CapCounter,
  LEAST_BALANCE_NANO_USD,
  type LimitScope,
  type RateState,
} from '@gateway/contracts';
import type { MoneyKeys } from '../keys.js';
import type { ScriptCall } from '../scripts/script.js';
import { readBalance } from './balance.js';

/** Lua compares amounts as doubles. */
const EXACT_LIMIT = 2n ** 53n;
const CONCURRENCY_RETRY_MS = 1_000;

/** Throws a RangeError for a hold that Lua could not compare exactly. The order of `args` is that of `admit.lua`. */
export function admitCall(keys: MoneyKeys, request: AdmissionRequest, leaseMs: number, givenMs: string): ScriptCall {
  const { spendCap, holdRange, capCounters = [], tokenHold, parentLimits = [] } = request;
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
      ...capCounters.map(({ name }) => keys.cap(name)),
      ...parentLimits.map(({ keyId }) => keys.leases(keyId)),
    ],
    args: [
      request.requestId,
      request.accountId,
      request.keyId,
      request.holdNanoUsd.toString(),
      request.holdMs.toString(),
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
        ? NO_SPEND_CAP
        : [spendCap.spendingKeyId, spendCap.capNanoUsd, spendCap.spentNanoUsd, spendCap.version]),
      (tokenHold?.least ?? 0).toString(),
      tokenHold?.range?.fixed.toString() ?? '',
      tokenHold?.range?.most.toString() ?? '',
      parentLimits.length.toString(),
      ...capCounters.flatMap(counterArgs),
      ...parentLimits.flatMap(({ keyId, concurrency }) => [keyId, concurrency.toString()]),
    ],
  };
}

const NO_SPEND_CAP = ['', '', '', ''];

const counterArgs = ({ name, endsAtMs, version, booked, limits }: CapCounter): readonly string[] => [
  name,
  endsAtMs?.toString() ?? '',
  version,
  ...CAP_MEASURES.map((measure) => booked[measure]),
  ...CAP_MEASURES.map((measure) => limits[measure] ?? ''),
];

function checkExact(name: string, amount: bigint): void {
  if (amount < 0n || amount >= EXACT_LIMIT) throw new RangeError(`${name} must be 0 to 2^53 - 1, not ${amount}`);
}

type AdmitReply =
  | readonly ['rebuilding']
  | readonly [
      outcome: 'admitted' | 'concurrency' | 'rate' | 'debt' | 'spend_cap' | 'cap' | 'funds',
      limit: number,
      remaining: number,
      resetMs: number,
      detail: string,
      balance: string,
      scope: LimitScope | '',
      more: string,
    ];

export function readAdmitReply(reply: unknown, { capCounters = [] }: AdmissionRequest): AdmissionOutcome {
  const [outcome, limit = 0, remaining = 0, resetMs = 0, detail = '', balance = '', scope = '', more = ''] =
    reply as AdmitReply;
  const rate: RateState = { limit, remaining, resetMs };
  const balanceNanoUsd = readBalance(balance);
  switch (outcome) {
    case 'rebuilding':
      return { outcome };
    case 'admitted':
      return { outcome, rate, holdNanoUsd: BigInt(detail), heldTokens: Number(more) };
    case 'concurrency':
      return { outcome, rate, balanceNanoUsd, scope: scope || 'key', retryAfterMs: CONCURRENCY_RETRY_MS };
    case 'rate':
      return { outcome, rate, balanceNanoUsd, scope: scope || 'key', retryAfterMs: Number(detail) };
    case 'debt':
      return { outcome, rate, balanceNanoUsd };
    case 'spend_cap':
      return { outcome, rate, balanceNanoUsd, takenNanoUsd: BigInt(detail) };
    case 'cap':
      return { outcome, rate, balanceNanoUsd, ...refusedBy(capCounters, more), taken: BigInt(detail) };
    case 'funds':
      return { outcome, rate, balanceNanoUsd, missingNanoUsd: BigInt(detail) };
  }
}

/** `more`: the number of the counter and of its measure, from 1. */
function refusedBy(counters: readonly CapCounter[], more: string) {
  const [counter, measure] = more.split(' ').map((number) => Number(number) - 1);
  const refused = { counter: counters[counter ?? -1], measure: CAP_MEASURES[measure ?? -1] };
  if (refused.counter === undefined || refused.measure === undefined) {
    throw new Error(`admit.lua names no counter of the request: ${more}`);
  }
  return { counter: refused.counter, measure: refused.measure };
}
