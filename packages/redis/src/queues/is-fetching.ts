/** What a worker records about its fetches. Times of `performance.now()`: a clock that is set must not end a worker. */
export interface FetchState {
  readonly nowMs: number;
  /** When Redis last replied to a fetch, with or without a job. */
  readonly lastFetchMs: number;
  /** Start of the current connection; null while Redis is away. */
  readonly connectedSinceMs: number | null;
  /** Since when a slot has been free; null while all are occupied. */
  readonly roomSinceMs: number | null;
  /** When a request last started or ended. */
  readonly lastChangeMs: number;
  readonly isPaused: boolean;
}

/** Above every deadline of a request: see SYNC_DEADLINE_MS. */
const MAX_WORK_MS = 15 * 60_000;
/** An idle worker fetches every ten seconds. */
const MAX_SILENCE_MS = 30_000;

/**
 * False if only a restart helps: the worker could fetch and does not, or all its slots are occupied and no request ends. A
 * paused worker, or one without Redis, cannot fetch: a restart would not help.
 */
export function isFetching(state: FetchState): boolean {
  if (state.isPaused || state.connectedSinceMs === null) return true;
  if (state.roomSinceMs === null) return state.nowMs - state.lastChangeMs <= MAX_WORK_MS;
  const since = Math.max(state.lastFetchMs, state.connectedSinceMs, state.roomSinceMs);
  return state.nowMs - since <= MAX_SILENCE_MS;
}
