import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Worker, type WorkerOptions } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';

/** How long BullMQ is kept from asking again after Redis refused, for instance because its memory is full. */
const PAUSE_AFTER_REFUSAL_MS = 1_000;

/** A BullMQ worker that takes nothing once paused, knows when Redis last answered a fetch, and can be left behind. */
export class FetchingWorker<Data> extends Worker<Data, void> {
  lastFetchMs = Date.now();
  readonly #redis: RedisConnection;

  constructor(
    name: string,
    run: (job: Job<Data, void>) => Promise<void>,
    redis: RedisConnection,
    options: Omit<WorkerOptions, 'connection'>,
  ) {
    super(name, run, { ...options, connection: redis });
    this.#redis = redis;
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<Data, void>> {
    // BullMQ lets a worker that was already waiting take one more job after it was told to stop.
    if (this.paused || this.closing !== undefined) return this.#leaveToAnother();
    try {
      const job = await super.moveToActive(token, name);
      this.lastFetchMs = Date.now();
      return job;
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError') {
        this.lastFetchMs = Date.now();
        // BullMQ tries again without a pause: thousands of times a second.
        await sleep(PAUSE_AFTER_REFUSAL_MS);
      }
      throw error;
    }
  }

  /** Answers as if no job waited, and puts back the marker that woke this worker and can wake only one. */
  #leaveToAnother(): Promise<Job<Data, void>> {
    this.#redis.zadd(this.toKey('marker'), 0, '0').catch((error: Error) => this.emit('error', error));
    return this.nextJobFromJobData();
  }

  /** Stops what keeps the process alive after a close that did not come to its end. */
  async abandon(): Promise<void> {
    await this.lockManager.close();
  }
}
