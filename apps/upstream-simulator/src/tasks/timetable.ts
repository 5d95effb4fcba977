import type { Directives } from '../directives/directives.js';

/** The end of a task without a cancel. */
export type TaskEnding = 'succeeded' | 'failed' | 'expired';
export type TaskState = 'queued' | 'running' | 'cancelled' | TaskEnding;

/** Start and end in Unix milliseconds; Infinity for never. */
export type Timetable = Readonly<{ startsAtMs: number; endsAtMs: number; ending: TaskEnding }>;
const DEFAULT_SECONDS = { task: 2, queue: 0.2 };
/** Of a requested length. */
const QUEUED_PART = 0.25;

const endingOf = (directives: Directives, hasDeferredFailure: boolean): TaskEnding => {
  if (directives.taskTimesOut === true) return 'expired';
  return hasDeferredFailure || directives.taskFailure !== undefined ? 'failed' : 'succeeded';
};

/** `hasDeferredFailure`: the vendor finds an error while it runs. */
export function timetableOf(directives: Directives, createdAtMs: number, hasDeferredFailure: boolean): Timetable {
  const { taskSeconds, queueSeconds } = directives;
  const seconds = taskSeconds ?? DEFAULT_SECONDS.task;
  const queuedSeconds = queueSeconds ?? (taskSeconds === undefined ? DEFAULT_SECONDS.queue : taskSeconds * QUEUED_PART);
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
