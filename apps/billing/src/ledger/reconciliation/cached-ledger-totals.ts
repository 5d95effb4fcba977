import { checkTaskHolds, type Database, type LedgerSums, sumLedger, type TaskHoldCheck } from '@gateway/postgres';

/** Of the time there is. */
const SHARE = 0.05;
/** The alarms hear of it at least so often, whatever it takes. */
const LONGEST_AGE_MS = 60_000;
/** An event is booked in a moment. */
const HOLD_IS_LATE_MS = 10_000;

/** What the whole ledger says. To know it every balance and every open task is read. */
export interface LedgerTotals extends LedgerSums {
  readonly taskHolds: TaskHoldCheck;
}

/** When work that took from one moment to another may be begun again, so that it takes a twentieth of the time. */
export const nextReadAtMs = (startedAtMs: number, endedAtMs: number): number =>
  startedAtMs + Math.min(LONGEST_AGE_MS, (endedAtMs - startedAtMs) / SHARE);

/** Reads the sums, for whoever cannot wait now, else when it may. */
export class CachedLedgerTotals {
  #known: LedgerTotals | null = null;
  #dueAtMs = 0;

  constructor(private readonly database: Database) {}

  async read(when: 'now' | 'when it may'): Promise<LedgerTotals> {
    const startedAtMs = Date.now();
    if (when === 'when it may' && this.#known !== null && startedAtMs < this.#dueAtMs) return this.#known;
    const [ledger, taskHolds] = await Promise.all([
      sumLedger(this.database),
      checkTaskHolds(this.database, HOLD_IS_LATE_MS),
    ]);
    this.#dueAtMs = nextReadAtMs(startedAtMs, Date.now());
    this.#known = { ...ledger, taskHolds };
    return this.#known;
  }
}
