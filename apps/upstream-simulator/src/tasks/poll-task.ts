import type { Directives } from '../directives/directives.js';
import type { TaskState } from './timetable.js';
import type { VideoTask } from './video-task.js';

/** Poll faults as call faults, for the first `poll_times` polls. */
function pollFaults({ job: { directives }, polls }: VideoTask): Directives {
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

/** The state to report, and the faults of the response. */
export type PollOutcome = Readonly<{ state: TaskState; faults: Directives }>;

/** Polls a task. A response that is lost reports nothing. */
export function pollTask(task: VideoTask): PollOutcome {
  const faults = pollFaults(task);
  const { status, hangs, cutAfter, isGarbage } = faults;
  const isLost = status !== undefined || hangs === true || cutAfter !== undefined || isGarbage === true;
  task.countPoll();
  return { state: isLost ? task.state : task.reportState(), faults };
}
