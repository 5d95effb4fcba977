import type { Directives } from '../directives/directives.js';

/** How a task ends that nobody cancels. */
export type TaskEnding = 'succeeded' | 'failed' | 'expired';

export type TaskState = 'queued' | 'running' | 'cancelled' | TaskEnding;

/** When a task starts to run and when it ends, in milliseconds since 1970; what never comes is at infinity. */
export interface Timetable {
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly ending: TaskEnding;
}

const DEFAULT_TASK_SECONDS = 2;
const QUEUED_PART = 0.25;

const endingOf = (directives: Directives, hasDeferredFailure: boolean): TaskEnding => {
  if (directives.taskTimesOut === true) return 'expired';
  return hasDeferredFailure || directives.taskFailure !== undefined ? 'failed' : 'succeeded';
};

/** What the directives of a prompt make of a task's time; `hasFlaw`: the vendor will find something wrong with it. */
export function timetableOf(directives: Directives, createdAtMs: number, hasDeferredFailure: boolean): Timetable {
  const seconds = directives.taskSeconds ?? DEFAULT_TASK_SECONDS;
  const queuedSeconds = directives.queueSeconds ?? seconds * QUEUED_PART;
  const startsAtMs = createdAtMs + queuedSeconds * 1_000;
  return {
    startsAtMs,
    endsAtMs: directives.taskHangs === true ? Infinity : Math.max(startsAtMs, createdAtMs + seconds * 1_000),
    ending: endingOf(directives, hasDeferredFailure),
  };
}

export function stateAt({ startsAtMs, endsAtMs, ending }: Timetable, nowMs: number): TaskState {
  if (nowMs < startsAtMs) return 'queued';
  return nowMs < endsAtMs ? 'running' : ending;
}

export const isOpen = (state: TaskState): state is 'queued' | 'running' => state === 'queued' || state === 'running';
