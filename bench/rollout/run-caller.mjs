import { setTimeout as sleep } from 'node:timers/promises';

const AFTER_FAILURE_MS = 50;

/** Runs one request and records its result. Returns false if it failed. */
export async function runOnce({ kind, run }, tally) {
  tally.sent(kind);
  try {
    tally.responded(kind, await run());
    return true;
  } catch (error) {
    tally.failed(kind, error);
    return false;
  }
}

/**
 * One caller of a customer: sends a request, pauses for `pauseMs`, and repeats until `signal` aborts. It completes the
 * running request.
 */
export async function runCaller(caller, tally, signal) {
  const { pauseMs = 0 } = caller;
  while (!signal.aborted) {
    const hasResponse = await runOnce(caller, tally);
    const waitMs = hasResponse ? pauseMs : Math.max(pauseMs, AFTER_FAILURE_MS);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
  }
}
