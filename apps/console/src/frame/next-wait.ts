/** A burst of requests refreshes the page once in this time. */
const LEAST_MS = 400;
/** While requests do not cease, it is refreshed this rarely: no person reads sums faster, and each costs the server work. */
const MOST_MS = 3_000;

/**
 * How long to gather what became old before it is read again. `beforeMs`: the wait of the latest refresh; 0: there was none.
 * `quietMs`: the time since it without an event.
 */
export const nextWaitMs = (beforeMs: number, quietMs: number): number =>
  quietMs > beforeMs ? LEAST_MS : Math.min(MOST_MS, Math.max(LEAST_MS, beforeMs * 2));
