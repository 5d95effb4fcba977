import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolContext } from '../tool.js';
import { ToolFailure } from '../tool-failure.js';

/** Polls instead of subscribing: change events carry no progress. */
const POLL_INTERVAL_MS = 1_500;
const SERVER_ERROR = 500;

export interface Poll<Snapshot> {
  read(): Promise<Snapshot>;
  isDone(snapshot: Snapshot): boolean;
  /** For the progress reports. */
  describe(snapshot: Snapshot): string;
  readonly seconds: number;
}

/**
 * Reads until it is done, or until the time is over: then it returns what it has read last. Reports the elapsed seconds as
 * progress, because a vendor's percentage may be missing or decrease.
 */
export async function pollUntil<Snapshot>(poll: Poll<Snapshot>, { signal, progress }: ToolContext): Promise<Snapshot> {
  const startedMs = Date.now();
  const untilMs = startedMs + poll.seconds * 1_000;
  for (;;) {
    const snapshot = await poll.read().catch((error: unknown) => rethrowUnlessTransient(error, untilMs));
    if (snapshot !== undefined && (poll.isDone(snapshot) || Date.now() >= untilMs)) return snapshot;
    if (snapshot !== undefined)
      await progress?.((Date.now() - startedMs) / 1_000, poll.describe(snapshot), poll.seconds);
    await sleep(Math.max(1, Math.min(POLL_INTERVAL_MS, untilMs - Date.now())), undefined, { signal }).catch(() => {
      throw new ToolFailure('client_closed_request', 'The call was cancelled.');
    });
  }
}

/** Ignores transient failures (5xx, 429) until the time-out, such as a gateway that restarts. */
function rethrowUnlessTransient(error: unknown, untilMs: number): undefined {
  if (!(error instanceof ToolFailure) || error.code === 'client_closed_request') throw error;
  const { status = SERVER_ERROR } = error.details;
  if ((status < SERVER_ERROR && status !== 429) || Date.now() >= untilMs) throw error;
}
