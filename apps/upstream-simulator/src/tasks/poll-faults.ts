import type { Directives } from '../directives/directives.js';
import type { VideoTask } from './video-task.js';

/** How this query of a task is to go wrong: the faults of polling, as those of any other call, until `poll_times` has worn them out. */
export function pollFaults({ order: { directives }, polls }: VideoTask): Directives {
  const { pollTimes = Infinity, pollStatus, pollRetryAfterSeconds, pollDelayMs } = directives;
  if (polls >= pollTimes) {
    return {};
  }
  return {
    ...(pollStatus !== undefined && { status: pollStatus }),
    ...(pollRetryAfterSeconds !== undefined && { retryAfterSeconds: pollRetryAfterSeconds }),
    ...(pollDelayMs !== undefined && { delayMs: pollDelayMs }),
    ...(directives.pollHangs === true && { hangs: true }),
    ...(directives.pollDrops === true && { cutAfter: 0 }),
    ...(directives.pollIsGarbage === true && { isGarbage: true }),
  };
}
