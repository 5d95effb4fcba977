import { checkTaskHolds, type Database, type LedgerSums, sumLedger, type TaskHoldCheck } from '@gateway/postgres';

/** The maximum share of the time for reads. */
const MAX_TIME_SHARE = 0.05;
/** The gauges are at most this old, however long a read takes. */
const MAX_AGE_MS = 60_000;
/** The usage stream delivers a hold within moments. */
const HOLD_IS_LATE_MS = 10_000;

/** The totals of the whole ledger. A read visits every balance and every open task. */
export interface LedgerTotals extends LedgerSums {
  readonly taskHolds: TaskHoldCheck;
}

/** The earliest time of the next read. Reads use at most `MAX_TIME_SHARE` of the time. */
export const nextReadAtMs = (startedAtMs: number, endedAtMs: number): number =>
  startedAtMs + Math.min(MAX_AGE_MS, (endedAtMs - startedAtMs) / MAX_TIME_SHARE);

/** Reads the totals, and caches them because a read is expensive. */
export class CachedLedgerTotals {
  #cached: LedgerTotals | null = null;
  #expiresAtMs = 0;

  constructor(private readonly database: Database) {}

  /** `cached` may return the totals of an earlier read. */
  async read(freshness: 'fresh' | 'cached'): Promise<LedgerTotals> {
    const startedAtMs = Date.now();
    if (freshness === 'cached' && this.#cached !== null && startedAtMs < this.#expiresAtMs) return this.#cached;
    const [ledger, taskHolds] = await Promise.all([
      sumLedger(this.database),
      checkTaskHolds(this.database, HOLD_IS_LATE_MS),
    ]);
    this.#expiresAtMs = nextReadAtMs(startedAtMs, Date.now());
    this.#cached = { ...ledger, taskHolds };
    return this.#cached;
  }
}
