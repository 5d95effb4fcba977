import { setTimeout as sleep } from 'node:timers/promises';

const AFTER_FAILURE_MS = 50;

/** Runs one request and records its result. Returns false if it failed. */
export async function askOnce({ kind, ask }, tally) {
  tally.asked(kind);
  try {
    tally.answered(kind, await ask());
    return true;
  } catch (error) {
    tally.failed(kind, error);
    return false;
  }
}

/**
 * One caller of a customer: sends a request, pauses for `restMs`, and repeats until `signal` aborts. It completes the
 * running request.
 */
export async function keepAsking(caller, tally, signal) {
  const { restMs = 0 } = caller;
  while (!signal.aborted) {
    const isAnswered = await askOnce(caller, tally);
    const restsMs = isAnswered ? restMs : Math.max(restMs, AFTER_FAILURE_MS);
    if (restsMs > 0) await sleep(restsMs, undefined, { signal }).catch(() => undefined);
  }
}
