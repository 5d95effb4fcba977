import { setTimeout as pause } from 'node:timers/promises';

/** Generous: only a condition that never holds may reach it, even on a busy machine. */
const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 25;

export interface WaitOptions {
  readonly withinMs?: number;
  readonly intervalMs?: number;
}

/**
 * Repeats `check` until it neither throws nor returns false, and returns its result. At the deadline it throws the last
 * error, so that a failed scenario names the condition.
 */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  options: WaitOptions = {},
): Promise<Result> {
  const { withinMs = TIMEOUT_MS, intervalMs = INTERVAL_MS } = options;
  const untilMs = Date.now() + withinMs;
  for (;;) {
    const outcome = await attempt(check);
    if ('result' in outcome) return outcome.result;
    if (Date.now() >= untilMs) throw outcome.reason;
    await pause(intervalMs);
  }
}

async function attempt<Result>(
  check: () => Result | Promise<Result>,
): Promise<{ readonly result: Result } | { readonly reason: unknown }> {
  try {
    const result = await check();
    return result === false ? { reason: new Error(`never came true: ${check.toString()}`) } : { result };
  } catch (reason) {
    return { reason };
  }
}
