import type { ResultStore } from '../../../results/result-store.js';
import type { TaskState } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import { type DashScopeVideoJob, timedOut } from './dashscope-video-job.js';
import type { UsageShape } from './video-models.js';

type Task = VideoTask<DashScopeVideoJob>;
const HOURS_EAST_MS = 8 * 60 * 60 * 1_000;

/** This vendor reports an expired task as failed. */
export const STATUS: Readonly<Record<TaskState, string>> = {
  queued: 'PENDING',
  running: 'RUNNING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  expired: 'FAILED',
  cancelled: 'CANCELED',
};

/** Such as `2026-11-03 10:15:02.113`, in Beijing time. */
const timeOf = (atMs: number): string =>
  new Date(atMs + HOURS_EAST_MS).toISOString().replace('T', ' ').replace('Z', '');

const USAGE: Readonly<Record<UsageShape, (job: DashScopeVideoJob) => object>> = {
  'wan2.7': ({ inputSeconds, video, tier, ratio }) => ({
    duration: inputSeconds + video.seconds,
    input_video_duration: inputSeconds,
    output_video_duration: video.seconds,
    video_count: 1,
    SR: tier,
    ratio,
  }),
  'wan2.6': ({ video, tier }) => ({ duration: video.seconds, video_count: 1, SR: tier }),
  'wan2.6-r2v': ({ video }) => ({ video_count: 1, video_duration: video.seconds }),
  'wan3.0': ({ inputSeconds, video, tier, ratio }) => ({
    video_count: 1,
    duration: inputSeconds + video.seconds,
    input_video_duration: inputSeconds,
    output_video_duration: video.seconds,
    fps: video.framesPerSecond,
    SR: tier,
    ratio,
  }),
};

function successOf({ job }: Task, videoUrl: string): object {
  const { traits, prompt, extendsPrompt, directives, video } = job;
  return {
    ...(prompt !== '' && { orig_prompt: prompt }),
    ...(directives.hidesVideo !== true && { video_url: videoUrl }),
    ...(traits.reportsRewrite && extendsPrompt && { actual_prompt: `${video.text} (rewritten)` }),
    ...(traits.usage === 'wan2.6-r2v' && { task_metrics: { TOTAL: 1, SUCCEEDED: 1, FAILED: 0 } }),
  };
}

/** A queued or cancelled task has no times. */
const timesOf = (task: Task, state: TaskState): object => {
  if (state === 'queued' || state === 'cancelled') return {};
  return {
    submit_time: timeOf(task.createdAtMs),
    scheduled_time: timeOf(task.startedAtMs),
    ...(state !== 'running' && { end_time: timeOf(task.endedAtMs) }),
  };
};

/** `state` may be false (`task_lies`). */
export function taskBody(task: Task, state: TaskState, results: ResultStore): object {
  const { directives } = task.job;
  const failure = state === 'expired' ? timedOut : state === 'failed' ? task.failure : {};
  const hasUsage = state === 'succeeded' && directives.hidesUsage !== true;
  return {
    output: {
      task_id: task.id,
      task_status: state === 'running' ? (directives.runningWord ?? STATUS.running) : STATUS[state],
      ...timesOf(task, state),
      ...(state === 'succeeded' && successOf(task, task.resultUrl(results))),
      ...(directives.failsOnTop !== true && failure),
    },
    ...(directives.failsOnTop === true && failure),
    ...(hasUsage && { usage: USAGE[task.job.traits.usage](task.job) }),
  };
}

export const unknownTask = (id: string): object => ({ output: { task_id: id, task_status: 'UNKNOWN' } });
