import { type TaskId, type Vendor, videoPollQueueName } from '@gateway/contracts';
import { z } from 'zod';
import type { RedisConnection } from '../connection/connect-redis.js';
import type { RedisKeys } from '../keys.js';
import { openQueue } from './open-queue.js';
import { openWorker } from './open-worker.js';
import { Slots } from './slots.js';

/** When to ask for a task. It carries nothing else: what is true stands in Postgres, and a lost alarm is set again. */
export interface PollJob {
  readonly taskId: TaskId;
  /** Of this task's alarms, one has this number: set twice, it rings once. */
  readonly number: number;
  readonly delayMs: number;
}

export interface PollQueue {
  readonly vendor: Vendor;
  /** Fails at once while Redis is away. */
  schedule(alarms: readonly PollJob[]): Promise<void>;
  /** Has a task looked at now, whatever its next alarm says. */
  pollNow(taskId: TaskId): Promise<void>;
  /** Alarms that wait for their time, and those that are due. */
  counts(): Promise<{ readonly delayed: number; readonly due: number }>;
  close(): Promise<void>;
}

const pollJob = z.object({ taskId: z.string() });

/** `redis` has the role `commands`, is shared and stays open; wait for it with `withReady` first. */
export async function createPollQueue(redis: RedisConnection, vendor: Vendor, keys?: RedisKeys): Promise<PollQueue> {
  const { queue, close } = await openQueue<{ taskId: string }>(redis, videoPollQueueName(vendor), keys);
  return {
    vendor,
    async schedule(alarms) {
      const jobs = alarms.map(({ taskId, number, delayMs }) => ({
        name: 'poll',
        data: { taskId },
        opts: { jobId: `${taskId}-${number}`, delay: Math.max(0, Math.round(delayMs)) },
      }));
      const [only, ...more] = jobs;
      // Each look sets one. A bulk of one makes a pipeline, and with it a function for every script of BullMQ's.
      if (only !== undefined && more.length === 0) await queue.add(only.name, only.data, only.opts);
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
  /** Looks at one task. It may be called twice for one alarm, and for a task that has ended. */
  readonly handle: (taskId: TaskId, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: Error, jobId?: string) => void;
  readonly keys?: RedisKeys;
}

export interface PollWorker {
  readonly active: number;
  /** Lets what runs finish for `timeoutMs`, then aborts it. Always resolves, also while Redis is away. */
  close(timeoutMs: number): Promise<void>;
  /** False only if this worker should be fetching alarms and is not: the one case that a restart cures. */
  isAlive(): boolean;
}

/** An alarm whose worker died rings again however often that happens: it costs nothing but a look. */
const MAX_STALLED_COUNT = 1_000;

export function createPollWorker(options: PollWorkerOptions): PollWorker {
  const { url, vendor, keys, concurrency, onError } = options;
  const slots = new Slots(concurrency);
  const stop = new AbortController();
  const name = videoPollQueueName(vendor);
  const { worker, close, isAlive } = openWorker(
    { url, name, keys, concurrency, maxStalledCount: MAX_STALLED_COUNT, onError },
    (job) => slots.occupy(() => options.handle(pollJob.parse(job.data).taskId as TaskId, stop.signal)),
  );
  worker.on('failed', (job, error) => onError(error, job?.id));
  return {
    get active() {
      return slots.active;
    },
    close: (timeoutMs) => close(timeoutMs, () => stop.abort(new Error('the worker is shutting down'))),
    isAlive: () => isAlive(slots),
  };
}
