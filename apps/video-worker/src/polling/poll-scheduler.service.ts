import type { TaskReading } from '@gateway/contracts';
import { type PollUpdate, taskTimeMs, type WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { clampToLifetime } from '../completion/task-completion.js';
import { ModelPace } from '../task/model-pace.service.js';
import { backOffMs, jittered, nextPollMs, type Pace, slowPaceWhenLate } from '../task/next-poll.js';
import type { TaskChannel } from '../task/task-channels.js';
import { TaskLease } from '../task/task-lease.service.js';
import { WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { ChannelThrottle } from '../upstream/channel-throttle.service.js';

/** A reading of a task that has not ended. */
export type OpenReading = Extract<TaskReading, { state: 'queued' | 'running' }>;

/** A task counts as lost only after this many misses in a row. */
export const MIN_MISSES = 3;

/** Records a poll and schedules the next one. */
@Injectable()
export class PollScheduler {
  constructor(
    private readonly pace: ModelPace,
    private readonly throttle: ChannelThrottle,
    private readonly lease: TaskLease,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'unknownAfterMs'>,
  ) {}

  /** After an open reading: at the model's pace, never faster than the channel's rate allows for all its tasks. */
  async afterReading(task: WorkerVideoTask, channel: TaskChannel, reading: OpenReading): Promise<void> {
    const nowMs = taskTimeMs(task);
    const pace = slowPaceWhenLate(await this.#paceOf(task, channel), nowMs - (task.nextPollAtMs ?? nowMs));
    const elapsedMs = nowMs - (task.submittedAtMs ?? task.createdAtMs);
    const minIntervalMs = await this.throttle.minIntervalMs(task.vendor, channel.channelId);
    const waitMs = jittered(Math.max(nextPollMs(elapsedMs, pace), minIntervalMs));
    const { state, native } = reading;
    await this.lease.record(task, (seen) => ({
      state,
      startedAtMs: state === 'running' ? clampToLifetime(seen, reading.startedAtMs ?? nowMs, nowMs) : null,
      progress: reading.progress === undefined ? null : Math.round(reading.progress),
      upstream: native,
      failures: 0,
      missCount: 0,
      nextPollMs: Math.min(waitMs, Math.max(pace.fastestMs, seen.expiresAtMs - nowMs)),
    }));
  }

  /** After a failed poll: exponential back-off. */
  async afterFailure(task: WorkerVideoTask, channel: TaskChannel): Promise<void> {
    const pace = await this.#paceOf(task, channel);
    await this.lease.record(task, (seen) => ({
      ...unchanged(seen),
      failures: seen.pollFailures + 1,
      nextPollMs: jittered(backOffMs(seen.pollFailures + 1, pace)),
    }));
  }

  /** After a miss: the upstream does not know the task, or shows no video. */
  async afterMiss(task: WorkerVideoTask, channel: TaskChannel): Promise<void> {
    const pace = await this.#paceOf(task, channel);
    const soonMs = Math.max(pace.fastestMs, this.config.unknownAfterMs / MIN_MISSES);
    await this.lease.record(task, (seen) => ({
      ...unchanged(seen),
      missCount: seen.missCount + 1,
      nextPollMs: Math.min(soonMs, pace.slowestMs),
    }));
  }

  #paceOf({ model }: WorkerVideoTask, { firstPollMs }: TaskChannel): Promise<Pace> {
    return this.pace.paceOf(model, firstPollMs);
  }
}

const unchanged = ({ pollFailures, missCount }: WorkerVideoTask): Omit<PollUpdate, 'nextPollMs'> => ({
  state: null,
  startedAtMs: null,
  progress: null,
  upstream: null,
  failures: pollFailures,
  missCount,
});
