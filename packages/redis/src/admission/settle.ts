import { SETTLEMENT_OUTCOMES, type SettlementOutcome, tokenCount, type UsageSettled } from '@gateway/contracts';
import type { MoneyKeys } from '../keys.js';
import { negated, type ScriptCall } from '../scripts/script.js';

export interface Settlement {
  /** False: the request was settled before, or (outcome `expired`) its hold is gone or was renewed. */
  readonly applied: boolean;
  readonly holdFound: boolean;
  /** How the request ended, by this call or an earlier one; null if it has not ended or the outcome is unknown. */
  readonly outcome: SettlementOutcome | null;
  /** What the request costs, by this call or an earlier one; null if it has not ended. */
  readonly costNanoUsd: bigint | null;
  /** The customer's balance, including what running requests hold. */
  readonly balanceNanoUsd: bigint;
}

/** A billion dollars. Redis ends a script at a number beyond 63 bits, and what the script had written before stays. */
const MOST_NANO_USD = 10n ** 18n;

/**
 * Lifetime of a settled request's tombstone, longer than a hold. Later repetitions are rare, and the ledger, which stores
 * every request id, refunds their cost.
 */
const TOMBSTONE_MS = 30 * 60 * 1_000;

/** Throws a RangeError for a cost that no request can have. The order of `args` is that of `settle.lua`. */
export function settleCall(keys: MoneyKeys, event: UsageSettled): ScriptCall {
  const cost = BigInt(event.costNanoUsd);
  if (cost < 0n || cost > MOST_NANO_USD) {
    throw new RangeError(`costNanoUsd must be from 0 to ${MOST_NANO_USD}, not ${cost}`);
  }
  const { holdNanoUsd: _, spendingKeyId: __, counters: ___, ...ownFields } = event;
  return {
    keys: [
      keys.account(event.accountId),
      keys.hold(event.requestId),
      keys.openHolds,
      keys.leases(event.accountId),
      keys.leases(event.keyId),
      keys.settled(event.requestId),
      keys.usage,
      keys.accounts,
    ],
    args: [
      event.requestId,
      event.accountId,
      cost.toString(),
      negated(cost),
      JSON.stringify(ownFields).slice(1),
      TOMBSTONE_MS.toString(),
      event.outcome === 'expired' ? event.settledAtMs.toString() : '',
      event.outcome,
      keys.spending(''),
      keys.cap(''),
      tokenCount(event.units).toString(),
      keys.leases(''),
    ],
  };
}

type SettleReply = [
  applied: number,
  holdFound: number,
  reserve: string,
  spendable: string,
  held: string,
  outcome: string,
  cost: string,
];

export function readSettleReply(reply: unknown): Settlement {
  const [applied, holdFound, reserve, spendable, held, outcome, cost] = reply as SettleReply;
  return {
    applied: applied === 1,
    holdFound: holdFound === 1,
    outcome: SETTLEMENT_OUTCOMES.find((known) => known === outcome) ?? null,
    costNanoUsd: cost === '' ? null : BigInt(cost),
    balanceNanoUsd: BigInt(reserve) + BigInt(spendable) + BigInt(held),
  };
}
