import type { ResultStore } from '../../../results/result-store.js';
import type { TaskState } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { ArkTaskSpec } from './ark-task-spec.js';
import { FRAMES_PER_SECOND } from './seedance-models.js';

type Task = VideoTask<ArkTaskSpec>;

const secondsOf = (atMs: number): number => Math.floor(atMs / 1_000);

/** The time of the last state change. */
const updatedAt = (task: Task): number => {
  const changes = [task.endedAtMs, task.startedAtMs, task.createdAtMs];
  return secondsOf(changes.find((atMs) => atMs < Infinity) ?? task.createdAtMs);
};

function contentOf(task: Task, results: ResultStore): object {
  const { directives, returnsLastFrame } = task.spec;
  return {
    ...(directives.hidesVideo !== true && { video_url: task.resultUrl(results) }),
    ...(returnsLastFrame && { last_frame_url: task.lastFrameUrl(results) }),
  };
}

function successOf(task: Task, results: ResultStore): object {
  const { spec } = task;
  return {
    error: null,
    content: contentOf(task, results),
    seed: spec.seed,
    resolution: spec.resolution,
    ratio: spec.ratio,
    ...(spec.frames === null ? { duration: spec.video.seconds } : { frames: spec.frames }),
    framespersecond: FRAMES_PER_SECOND,
    ...(spec.traits.hasAudio && { generate_audio: spec.generatesAudio }),
    draft: spec.isDraft,
    ...(spec.draftId !== null && { draft_task_id: spec.draftId }),
    ...(spec.directives.hidesUsage !== true && {
      usage: { completion_tokens: spec.tokens, total_tokens: spec.tokens },
    }),
  };
}

/** `state` may be false (`task_lies`). */
export const taskBody = (task: Task, state: TaskState, results: ResultStore): object => ({
  id: task.id,
  model: task.spec.model,
  created_at: secondsOf(task.createdAtMs),
  service_tier: task.spec.serviceTier,
  execution_expires_after: task.spec.expiresAfterSeconds,
  ...task.spec.echoed,
  status: state === 'running' ? (task.spec.directives.runningWord ?? state) : state,
  updated_at: updatedAt(task),
  ...(state === 'failed' && { error: task.failure }),
  ...(state === 'succeeded' && successOf(task, results)),
});
