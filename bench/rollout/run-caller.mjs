import { setTimeout as sleep } from 'node:timers/promises';

const AFTER_FAILURE_MS = 50;

/** Runs one call and counts its outcome. Returns false if it failed. */
export async function callOnce({ kind, call }, tally) {
  tally.sent(kind);
  try {
    tally.answered(kind, await call());
    return true;
  } catch (error) {
    tally.failed(kind, error);
    return false;
  }
}

/**
 * Repeats one caller's call with pauses of `pauseMs` until `signal` aborts. It completes a call that is in progress.
 */
export async function runCaller(caller, tally, signal) {
  const { pauseMs = 0 } = caller;
  while (!signal.aborted) {
    const isAnswered = await callOnce(caller, tally);
    const nextPauseMs = isAnswered ? pauseMs : Math.max(pauseMs, AFTER_FAILURE_MS);
    if (nextPauseMs > 0) await sleep(nextPauseMs, undefined, { signal }).catch(() => undefined);
  }
}
