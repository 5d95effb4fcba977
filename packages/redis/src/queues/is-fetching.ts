/** What a worker knows of its own fetching; times in Unix milliseconds. */
export interface FetchState {
  readonly nowMs: number;
  /** The last time that Redis answered a fetch, with a job or without one. */
  readonly lastFetchMs: number;
  /** Since when Redis has been reachable without a break; null: it is away. */
  readonly connectedSinceMs: number | null;
  /** Since when there has been room for one more job; null: there is none. */
  readonly roomSinceMs: number | null;
  readonly isPaused: boolean;
}

/**
 * An idle worker asks for a job every five seconds. One that could ask and has not for 30 seconds is stuck and only a
 * restart helps. With Redis away, without room, or paused on purpose it has nothing to ask: a restart would not help.
 */
export function isFetching(state: FetchState, longestSilenceMs = 30_000): boolean {
  if (state.isPaused || state.connectedSinceMs === null || state.roomSinceMs === null) return true;
  const since = Math.max(state.lastFetchMs, state.connectedSinceMs, state.roomSinceMs);
  return state.nowMs - since <= longestSilenceMs;
}
