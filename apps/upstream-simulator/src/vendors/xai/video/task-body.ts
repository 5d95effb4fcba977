import type { ResultStore } from '../../../results/result-store.js';
import type { TaskState } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { GrokTaskSpec } from './grok-task-spec.js';
import { MODERATION } from './read-task-spec.js';

type Task = VideoTask<GrokTaskSpec>;

export interface PollResponse {
  readonly status: 200 | 202;
  /** Null: there is none, as there may be while a task is pending. */
  readonly body: object | null;
}

const MAX_PENDING_PROGRESS = 99;

const pending = ({ spec: { directives }, progress }: Task): object | null =>
  directives.pollIsEmpty === true
    ? null
    : { status: directives.runningWord ?? 'pending', progress: Math.floor(progress * MAX_PENDING_PROGRESS) };

function done({ spec }: Task, url: string): object {
  const { video, directives } = spec;
  return {
    status: 'done',
    video: { ...(directives.hidesVideo !== true && { url }), duration: video.seconds, respect_moderation: true },
    model: spec.model,
    ...(directives.hidesUsage !== true && { usage: { cost_in_usd_ticks: spec.ticks } }),
    progress: 100,
  };
}

/** What moderation keeps back is done as well, as this vendor says it, but has no address. */
const moderated = ({ spec }: Task): object => ({
  status: 'done',
  video: { duration: spec.video.seconds, respect_moderation: false },
  model: spec.model,
  progress: 100,
});

const failed = ({ failure }: Task): object => ({
  status: 'failed',
  video: { duration: 0, respect_moderation: true },
  model: '',
  error: failure,
});

/** What a query is told; `state`: what it is to be told, which may be a lie. */
export function taskBody(task: Task, state: TaskState, results: ResultStore): PollResponse {
  switch (state) {
    case 'succeeded':
      return { status: 200, body: done(task, task.resultUrl(results)) };
    case 'failed':
      return { status: 200, body: task.failure.code === MODERATION ? moderated(task) : failed(task) };
    case 'expired':
    case 'cancelled':
      return { status: 200, body: { status: 'expired', model: task.spec.model } };
    case 'queued':
    case 'running':
      return { status: 202, body: pending(task) };
  }
}
