/** Calendar periods in the time zone of the account; a week starts on Monday. `life`: from the first request on. */
export const CAP_PERIODS = ['day', 'week', 'month', 'life'] as const;
export type CapPeriod = (typeof CAP_PERIODS)[number];

export const CAP_MEASURES = ['requests', 'tokens', 'usd'] as const;
export type CapMeasure = (typeof CAP_MEASURES)[number];

/** Counts as digits; `usd` in nano-USD. */
export type CapCounts = Readonly<Record<CapMeasure, string>>;

/** A limit within a period. A hard cap refuses requests; a soft one only raises the event `cap.reached`. */
export interface PeriodCap {
  readonly measure: CapMeasure;
  /** As `CapCounts`. */
  readonly limit: string;
  readonly hard: boolean;
}

export interface Cap extends PeriodCap {
  readonly period: CapPeriod;
}

/** What is booked against the caps of a key or an account in the current period, and the next period's times. */
export interface CappedPeriod {
  /** The account, or the first key of a chain of rotated keys. */
  readonly ownerId: string;
  readonly period: CapPeriod;
  readonly startsAtMs: number;
  /** Null: never. */
  readonly endsAtMs: number | null;
  readonly nextEndsAtMs: number | null;
  readonly requests: string;
  readonly tokens: string;
  readonly cost: string;
  /** Incremented by each change of the counts, so that older ones never overwrite newer ones. */
  readonly version: string;
  readonly caps: readonly PeriodCap[];
}

/** Names of counters that only Redis keeps: `budget:<batch>:0`. Their booked cost is what Redis has acknowledged. */
export const BUDGET_PREFIX = 'budget:';

/** A counter of Redis: one owner in one period. Its hard limits, and what PostgreSQL has booked. */
export interface CapCounter {
  /** `<owner>:<period>:<start in Unix milliseconds>` */
  readonly name: string;
  readonly endsAtMs: number | null;
  readonly version: string;
  readonly booked: CapCounts;
  readonly limits: Partial<CapCounts>;
}

/** The booked counts of a counter, for Redis. */
export interface BookedCapCount extends Readonly<Record<'requests' | 'tokens' | 'cost' | 'version', string>> {
  readonly counter: string;
}

/** The tokens that a request may use. `fixed`, `most`: present if admission may cap the output. */
export interface TokenHold {
  readonly least: number;
  readonly range?: { readonly fixed: number; readonly most: number };
}

/** The tokens of a usage: prompt, cache and output together. */
export const tokenCount = (units: Readonly<Record<string, number | undefined>>): number =>
  Object.entries(units).reduce((sum, [unit, count = 0]) => (unit.endsWith('_token') ? sum + count : sum), 0);
