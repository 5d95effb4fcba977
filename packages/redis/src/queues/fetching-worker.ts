import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Worker, type WorkerOptions } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';
import { registerScript } from '../scripts/script.js';

/** Pause after Redis refused a fetch, for example because its memory is full. BullMQ alone retries thousands of times a second. */
const PAUSE_AFTER_REFUSAL_MS = 1_000;

/**
 * A BullMQ worker with four corrections. It fetches nothing once paused and wakes once per job. It records when Redis last
 * replied to a fetch. It can be abandoned while Redis is away.
 */
export class FetchingWorker<Data> extends Worker<Data, void> {
  lastFetchMs = Date.now();
  readonly #redis: RedisConnection;
  readonly #removeIdleMarker: () => Promise<unknown>;
  #mayHaveMarker = false;

  constructor(
    name: string,
    run: (job: Job<Data, void>) => Promise<void>,
    redis: RedisConnection,
    options: Omit<WorkerOptions, 'connection'>,
  ) {
    super(name, run, { ...options, connection: redis });
    this.#redis = redis;
    const script = registerScript(redis, 'queues/remove-idle-marker');
    const keys = ['wait', 'prioritized', 'marker'].map((key) => this.toKey(key));
    this.#removeIdleMarker = () => script({ keys, args: [] });
    this.on('active', () => {
      this.#mayHaveMarker = true;
    });
    // BullMQ fetches nothing while Redis refuses to wait for a job, for example because its disk is full.
    this.on('error', ({ name }) => {
      if (name === 'ReplyError') this.lastFetchMs = Date.now();
    });
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<Data, void>> {
    // BullMQ lets a worker that was already waiting fetch one more job after a pause.
    if (this.paused || this.closing !== undefined) return this.#skipFetch();
    if (this.#mayHaveMarker) {
      this.#mayHaveMarker = false;
      // Leaves in the same write as the fetch, which reports a failure of the connection.
      this.#removeIdleMarker().catch(() => undefined);
    }
    try {
      const job = await super.moveToActive(token, name);
      this.lastFetchMs = Date.now();
      return job;
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError') {
        this.lastFetchMs = Date.now();
        await sleep(PAUSE_AFTER_REFUSAL_MS);
      }
      throw error;
    }
  }

  /** Returns no job, and restores the marker that woke this worker: a marker wakes only one. */
  #skipFetch(): Promise<Job<Data, void>> {
    this.#redis.zadd(this.toKey('marker'), 0, '0').catch((error: Error) => this.emit('error', error));
    return this.nextJobFromJobData();
  }

  /** Stops the timers that keep the process alive after an incomplete close. */
  async abandon(): Promise<void> {
    await this.lockManager.close();
  }
}
