import type { ResultStore } from '../../../results/result-store.js';
import type { TaskState } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { ArkVideoJob } from './ark-video-job.js';
import { FRAMES_PER_SECOND } from './seedance-models.js';

type Task = VideoTask<ArkVideoJob>;
const secondsOf = (atMs: number): number => Math.floor(atMs / 1_000);

/** The time of the last state change. */
const updatedAt = (task: Task): number => {
  const changes = [task.endedAtMs, task.startedAtMs, task.createdAtMs];
  return secondsOf(changes.find((atMs) => atMs < Infinity) ?? task.createdAtMs);
};

function contentOf(task: Task, results: ResultStore): object {
  const { directives, returnsLastFrame } = task.job;
  return {
    ...(directives.hidesVideo !== true && { video_url: task.resultUrl(results) }),
    ...(returnsLastFrame && { last_frame_url: task.lastFrameUrl(results) }),
  };
}

function successOf(task: Task, results: ResultStore): object {
  const { job } = task;
  return {
    error: null,
    content: contentOf(task, results),
    seed: job.seed,
    resolution: job.resolution,
    ratio: job.ratio,
    ...(job.frames === null ? { duration: job.video.seconds } : { frames: job.frames }),
    framespersecond: FRAMES_PER_SECOND,
    ...(job.traits.hasAudio && { generate_audio: job.generatesAudio }),
    draft: job.isDraft,
    ...(job.draftId !== null && { draft_task_id: job.draftId }),
    ...(job.directives.hidesUsage !== true && { usage: { completion_tokens: job.tokens, total_tokens: job.tokens } }),
  };
}

/** `state` may be false (`task_lies`). */
export const taskBody = (task: Task, state: TaskState, results: ResultStore): object => ({
  id: task.id,
  model: task.job.model,
  created_at: secondsOf(task.createdAtMs),
  service_tier: task.job.serviceTier,
  execution_expires_after: task.job.expiresAfterSeconds,
  ...task.job.echoed,
  status: state === 'running' ? (task.job.directives.runningWord ?? state) : state,
  updated_at: updatedAt(task),
  ...(state === 'failed' && { error: task.failure }),
  ...(state === 'succeeded' && successOf(task, results)),
});
