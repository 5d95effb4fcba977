import type { BatchGrant } from '../batches/batch-credential.js';
import type { KeyRecord } from './admission.js';
import { BUDGET_PREFIX, type CapCounter, type CapCounts, type CappedPeriod } from './caps.js';

const NOTHING: CapCounts = { requests: '0', tokens: '0', usd: '0' };

/** The counters of a key's caps and of its account's. Undefined: no cap applies, as for a test key. */
export function capCountersOf(
  { cappedPeriods, isTest }: Pick<KeyRecord, 'cappedPeriods' | 'isTest'>,
  nowMs: number,
): readonly CapCounter[] | undefined {
  return isTest ? undefined : cappedPeriods?.map((period) => counterAt(period, nowMs));
}

/** The counters with that of a batch's budget. Its spending is counted in Redis; `spent` is what a lost counter begins with. */
export function withBudget(
  counters: readonly CapCounter[] | undefined,
  batch: BatchGrant | undefined,
): readonly CapCounter[] | undefined {
  if (batch === undefined || batch.budgetNanoUsd === null) return counters;
  const { batchId, budgetNanoUsd, spentNanoUsd, budgetEndsAtMs: endsAtMs } = batch;
  const booked = { ...NOTHING, usd: spentNanoUsd };
  const name = `${BUDGET_PREFIX}${batchId}:0`;
  return [...(counters ?? []), { name, endsAtMs, version: '0', booked, limits: { usd: budgetNanoUsd } }];
}

/** A cached key may be older than the period: then the next one has begun, in which nothing is booked yet. */
function counterAt(capped: CappedPeriod, nowMs: number): CapCounter {
  const { ownerId, period, startsAtMs, endsAtMs, nextEndsAtMs, requests, tokens, cost, version, caps } = capped;
  const limits = Object.fromEntries(caps.map(({ measure, limit }) => [measure, limit]));
  if (endsAtMs !== null && nowMs >= endsAtMs) {
    return { name: `${ownerId}:${period}:${endsAtMs}`, endsAtMs: nextEndsAtMs, version: '0', booked: NOTHING, limits };
  }
  const booked = { requests, tokens, usd: cost };
  return { name: `${ownerId}:${period}:${startsAtMs}`, endsAtMs, version, booked, limits };
}
