import type { ResultShelf } from '../../../results/result-shelf.js';
import type { TaskState } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { GrokOrder } from './grok-order.js';
import { MODERATION } from './read-video-order.js';

type Task = VideoTask<GrokOrder>;

export interface Told {
  readonly status: 200 | 202;
  /** Null: there is none, as there may be while a task is pending. */
  readonly body: object | null;
}

const MOST_WHILE_PENDING = 99;

const pending = ({ order: { directives }, progress }: Task): object | null =>
  directives.pollIsEmpty === true
    ? null
    : { status: directives.runningWord ?? 'pending', progress: Math.floor(progress * MOST_WHILE_PENDING) };

function done({ order }: Task, url: string): object {
  const { video, directives } = order;
  return {
    status: 'done',
    video: { ...(directives.hidesVideo !== true && { url }), duration: video.seconds, respect_moderation: true },
    model: order.model,
    ...(directives.hidesUsage !== true && { usage: { cost_in_usd_ticks: order.ticks } }),
    progress: 100,
  };
}

/** What moderation keeps back is done as well, as this vendor says it, but has no address. */
const keptBack = ({ order }: Task): object => ({
  status: 'done',
  video: { duration: order.video.seconds, respect_moderation: false },
  model: order.model,
  progress: 100,
});

const failed = ({ failure }: Task): object => ({
  status: 'failed',
  video: { duration: 0, respect_moderation: true },
  model: '',
  error: failure,
});

/** What a query is told; `state`: what it is to be told, which may be a lie. */
export function taskBody(task: Task, state: TaskState, results: ResultShelf): Told {
  switch (state) {
    case 'succeeded':
      return { status: 200, body: done(task, task.resultUrl(results)) };
    case 'failed':
      return { status: 200, body: task.failure.code === MODERATION ? keptBack(task) : failed(task) };
    case 'expired':
    case 'cancelled':
      return { status: 200, body: { status: 'expired', model: task.order.model } };
    case 'queued':
    case 'running':
      return { status: 202, body: pending(task) };
  }
}
