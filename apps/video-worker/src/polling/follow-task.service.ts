import type { TaskReading } from '@gateway/contracts';
import { taskTimeMs, type WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { FinishTask } from '../completion/finish-task.service.js';
import { completionWithoutVideo, expiredCompletion, isFinalReading } from '../completion/task-completion.js';
import { jittered } from '../task/next-poll.js';
import type { TaskChannel } from '../task/task-channels.js';
import { TaskLease } from '../task/task-lease.service.js';
import { WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import type { StatusResult } from '../upstream/fetch-status.service.js';
import { FetchThrottledStatus } from './fetch-throttled-status.service.js';
import { MIN_MISSES, type OpenReading, PollScheduler } from './poll-scheduler.service.js';
import { StopTask } from './stop-task.service.js';

/** Failed polls continue this long after the deadline: the video may be ready. */
const LAST_POLLS_MS = 60_000;

const LOST = {
  unknown: { code: 'task_lost', message: 'The upstream no longer knows the task. Nothing is charged.' },
  no_video: {
    code: 'video_missing',
    message: 'The upstream reports that the task succeeded, but returns no video. Nothing is charged.',
  },
} as const;

type MissReading = Extract<TaskReading, { state: keyof typeof LOST }>;

/** Polls a task that an upstream has accepted, then ends it, stops it, or schedules the next poll. */
@Injectable()
export class FollowTask {
  constructor(
    private readonly status: FetchThrottledStatus,
    private readonly stopping: StopTask,
    private readonly finishing: FinishTask,
    private readonly scheduler: PollScheduler,
    private readonly lease: TaskLease,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'unknownAfterMs'>,
  ) {}

  async follow(task: WorkerVideoTask, upstreamTaskId: string, channel: TaskChannel, stop: AbortSignal): Promise<void> {
    const status = await this.status.fetch(task, upstreamTaskId, channel, stop);
    if (status.kind === 'not_yet') return this.lease.postpone(task, status.waitMs);
    if (status.kind !== 'reading') return this.#withoutReading(task, channel, status);
    const { reading } = status;
    if (isFinalReading(reading)) return this.finishing.finishAsRead(task, reading);
    if (reading.state === 'unknown' || reading.state === 'no_video') return this.#onMiss(task, channel, reading);
    if (task.cancelOutcome === 'pending') return this.#cancel(task, upstreamTaskId, channel, reading, stop);
    if (taskTimeMs(task) >= task.expiresAtMs) return this.stopping.expire(task, upstreamTaskId, channel, stop);
    return this.scheduler.afterReading(task, channel, reading);
  }

  /** A failed poll reveals nothing about the task, so it ends the task only long after the deadline. */
  async #withoutReading(
    task: WorkerVideoTask,
    channel: TaskChannel,
    status: Exclude<StatusResult, { kind: 'reading' }>,
  ): Promise<void> {
    if (taskTimeMs(task) >= task.expiresAtMs + LAST_POLLS_MS) await this.finishing.finish(task, expiredCompletion);
    else if (status.kind === 'throttled') await this.lease.postpone(task, jittered(status.waitMs));
    else await this.scheduler.afterFailure(task, channel);
  }

  /** A single miss proves nothing: an upstream may list a new task, or the address of its video, with a delay. */
  async #onMiss(task: WorkerVideoTask, channel: TaskChannel, { state, native }: MissReading): Promise<void> {
    const nowMs = taskTimeMs(task);
    const sinceMs = Math.max(task.firstMissAtMs ?? nowMs, task.submittedAtMs ?? nowMs);
    const isLost = task.missCount + 1 >= MIN_MISSES && nowMs - sinceMs >= this.config.unknownAfterMs;
    if (isLost || nowMs >= task.expiresAtMs) {
      await this.finishing.finish(task, (seen) => ({
        ...completionWithoutVideo(seen, 'failed', LOST[state], nowMs),
        upstream: state === 'no_video' ? native : null,
      }));
    } else {
      await this.scheduler.afterMiss(task, channel);
    }
  }

  async #cancel(
    task: WorkerVideoTask,
    upstreamTaskId: string,
    channel: TaskChannel,
    reading: OpenReading,
    stop: AbortSignal,
  ): Promise<void> {
    const continuing = await this.stopping.cancelForCustomer(task, upstreamTaskId, channel, stop);
    if (continuing !== null) await this.scheduler.afterReading(continuing, channel, reading);
  }
}
