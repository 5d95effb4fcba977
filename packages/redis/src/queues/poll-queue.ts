import { type TaskId, type Vendor, videoPollQueueName } from '@gateway/contracts';
import { z } from 'zod';
import type { RedisConnection } from '../connection/connect-redis.js';
import type { RedisKeys } from '../keys.js';
import { openQueue } from './open-queue.js';
import { openWorker } from './open-worker.js';
import { Slots } from './slots.js';

/** When to poll a task. It carries no state: Postgres holds that, and the sweep schedules a lost job again. */
export interface PollJob {
  readonly taskId: TaskId;
  /** Part of the job's id: the same number scheduled twice is one job. */
  readonly number: number;
  readonly delayMs: number;
}

export interface PollQueue {
  readonly vendor: Vendor;
  /** Fails at once while Redis is away. */
  schedule(pollJobs: readonly PollJob[]): Promise<void>;
  /** Polls a task now, whenever its next job is due. */
  pollNow(taskId: TaskId): Promise<void>;
  /** Poll jobs that are not due yet, and those that are. */
  counts(): Promise<{ readonly delayed: number; readonly due: number }>;
  close(): Promise<void>;
}

const pollJobData = z.object({ taskId: z.string() });

/** `redis` has the role `commands`, is shared and stays open; wait for it with `withReady` first. */
export async function createPollQueue(redis: RedisConnection, vendor: Vendor, keys?: RedisKeys): Promise<PollQueue> {
  const { queue, close } = await openQueue<{ taskId: string }>(redis, videoPollQueueName(vendor), keys);
  return {
    vendor,
    async schedule(pollJobs) {
      const jobs = pollJobs.map(({ taskId, number, delayMs }) => ({
        name: 'poll',
        data: { taskId },
        opts: { jobId: `${taskId}-${number}`, delay: Math.max(0, Math.round(delayMs)) },
      }));
      const [first, ...others] = jobs;
      // The usual case. `addBulk` would build a pipeline, with a function for each of BullMQ's scripts.
      if (first !== undefined && others.length === 0) await queue.add(first.name, first.data, first.opts);
      else await queue.addBulk(jobs);
    },
    async pollNow(taskId) {
      await queue.add('poll', { taskId });
    },
    async counts() {
      const { delayed = 0, waiting = 0, active = 0 } = await queue.getJobCounts('delayed', 'waiting', 'active');
      return { delayed, due: waiting + active };
    },
    close,
  };
}

export interface PollWorkerOptions {
  readonly url: string;
  readonly vendor: Vendor;
  readonly concurrency: number;
  /** Polls one task. May be called twice for one job, and for a task that has ended. */
  readonly handle: (taskId: TaskId, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: Error, jobId?: string) => void;
  readonly keys?: RedisKeys;
}

export interface PollWorker {
  /** Waits up to `timeoutMs` for running polls, then aborts them. Always resolves, also while Redis is away. */
  close(timeoutMs: number): Promise<void>;
  /** False only if the worker should fetch jobs and does not: only a restart helps. */
  isAlive(): boolean;
}

/** A poll is safe to repeat, so the job of a dead worker is delivered again however often that happens. */
const MAX_STALLED_COUNT = 1_000;

export function createPollWorker(options: PollWorkerOptions): PollWorker {
  const { url, vendor, keys, concurrency, onError } = options;
  const slots = new Slots(concurrency);
  const stop = new AbortController();
  const name = videoPollQueueName(vendor);
  const { worker, close, isAlive } = openWorker(
    {
      url,
      name,
      keys,
      fetching: { maxJobs: () => concurrency, letsOthersFirst: () => false },
      maxStalledCount: MAX_STALLED_COUNT,
      onError,
    },
    (job) => slots.occupy(() => options.handle(pollJobData.parse(job.data).taskId as TaskId, stop.signal)),
  );
  worker.on('failed', (job, error) => onError(error, job?.id));
  return {
    close: (timeoutMs) => close(timeoutMs, () => stop.abort(new Error('the worker is shutting down'))),
    isAlive: () => isAlive(slots),
  };
}
