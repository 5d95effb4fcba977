import type { ResultShelf } from '../../../results/result-shelf.js';
import type { TaskState } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { ArkOrder } from './ark-order.js';
import { FRAMES_PER_SECOND } from './count-tokens.js';

type Task = VideoTask<ArkOrder>;

const secondsOf = (atMs: number): number => Math.floor(atMs / 1_000);

/** When the state was last another one. */
const updatedAt = (task: Task): number => {
  const changes = [task.endedAtMs, task.startedAtMs, task.createdAtMs];
  return secondsOf(changes.find((atMs) => atMs < Infinity) ?? task.createdAtMs);
};

function contentOf(task: Task, results: ResultShelf): object {
  const { directives, returnsLastFrame } = task.order;
  return {
    ...(directives.hidesVideo !== true && { video_url: task.resultUrl(results) }),
    ...(returnsLastFrame && { last_frame_url: task.lastFrameUrl(results) }),
  };
}

function successOf(task: Task, results: ResultShelf): object {
  const { order } = task;
  return {
    error: null,
    content: contentOf(task, results),
    seed: order.seed,
    resolution: order.resolution,
    ratio: order.ratio,
    ...(order.frames === null ? { duration: order.video.seconds } : { frames: order.frames }),
    framespersecond: FRAMES_PER_SECOND,
    ...(order.traits.hasSound && { generate_audio: order.generatesAudio }),
    draft: order.isDraft,
    ...(order.draftId !== null && { draft_task_id: order.draftId }),
    ...(order.directives.hidesUsage !== true && {
      usage: { completion_tokens: order.tokens, total_tokens: order.tokens },
    }),
  };
}

/** The vendor's record of a task; `state`: what it is to tell, which may be a lie. */
export const taskBody = (task: Task, state: TaskState, results: ResultShelf): object => ({
  id: task.id,
  model: task.order.model,
  created_at: secondsOf(task.createdAtMs),
  service_tier: task.order.serviceTier,
  execution_expires_after: task.order.expiresAfterSeconds,
  ...task.order.echoed,
  status: state === 'running' ? (task.order.directives.runningWord ?? state) : state,
  updated_at: updatedAt(task),
  ...(state === 'failed' && { error: task.failure }),
  ...(state === 'succeeded' && successOf(task, results)),
});
