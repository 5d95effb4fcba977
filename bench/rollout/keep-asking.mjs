import { setTimeout as sleep } from 'node:timers/promises';

const AFTER_FAILURE_MS = 50;

/** One request and what became of it. False if it failed. */
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
 * One caller, as a program of a customer is: asks, has the answer, rests for `restMs`, asks again, until `signal` says that
 * it is enough; what it has asked by then it sees through.
 */
export async function keepAsking(caller, tally, signal) {
  const { restMs = 0 } = caller;
  while (!signal.aborted) {
    const isAnswered = await askOnce(caller, tally);
    const restsMs = isAnswered ? restMs : Math.max(restMs, AFTER_FAILURE_MS);
    if (restsMs > 0) await sleep(restsMs, undefined, { signal }).catch(() => undefined);
  }
}
