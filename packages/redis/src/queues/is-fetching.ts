/** What a worker knows of its own fetching; times in Unix milliseconds. */
export interface FetchState {
  readonly nowMs: number;
  /** The last time that Redis answered a fetch, with a job or without one. */
  readonly lastFetchMs: number;
  /** Since when Redis has been reachable without a break; null: it is away. */
  readonly connectedSinceMs: number | null;
  /** Since when there has been room for one more job; null: there is none. */
  readonly roomSinceMs: number | null;
  /** When the last of its work began or ended. */
  readonly lastChangeMs: number;
  readonly isPaused: boolean;
}

/** Longer than any work may take, be it the longest answer: see SYNC_DEADLINE_MS. */
const LONGEST_WORK_MS = 15 * 60_000;

/**
 * An idle worker asks for a job every five seconds. One that could ask and has not for 30 seconds is stuck, and so is one
 * that is full of work of which nothing ever ends: only a restart helps. With Redis away or paused on purpose it has
 * nothing to ask: a restart would not help.
 */
export function isFetching(state: FetchState, longestSilenceMs = 30_000): boolean {
  if (state.isPaused || state.connectedSinceMs === null) return true;
  if (state.roomSinceMs === null) return state.nowMs - state.lastChangeMs <= LONGEST_WORK_MS;
  const since = Math.max(state.lastFetchMs, state.connectedSinceMs, state.roomSinceMs);
  return state.nowMs - since <= longestSilenceMs;
}
