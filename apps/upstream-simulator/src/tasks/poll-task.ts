import type { Directives } from '../directives/directives.js';
import type { TaskState } from './timetable.js';
import type { VideoTask } from './video-task.js';

/** The faults of polling, as those of any other call, until `poll_times` has worn them out. */
function pollFaults({ spec: { directives }, polls }: VideoTask): Directives {
  const { pollTimes = Infinity, pollStatus, pollRetryAfterSeconds, pollDelayMs } = directives;
  if (polls >= pollTimes) return {};
  return {
    ...(pollStatus !== undefined && { status: pollStatus }),
    ...(pollRetryAfterSeconds !== undefined && { retryAfterSeconds: pollRetryAfterSeconds }),
    ...(pollDelayMs !== undefined && { delayMs: pollDelayMs }),
    ...(directives.pollHangs === true && { hangs: true }),
    ...(directives.pollDrops === true && { cutAfter: 0 }),
    ...(directives.pollIsGarbage === true && { isGarbage: true }),
  };
}

/** What a query of a task is told, and how it is to go wrong. */
export interface PollOutcome {
  readonly state: TaskState;
  readonly faults: Directives;
}

/** Asks for a task; what is lost on the way to who asks was not told to anybody. */
export function pollTask(task: VideoTask): PollOutcome {
  const faults = pollFaults(task);
  const { status, hangs, cutAfter, isGarbage } = faults;
  const isLost = status !== undefined || hangs === true || cutAfter !== undefined || isGarbage === true;
  task.countPoll();
  return { state: isLost ? task.state : task.reportState(), faults };
}
