import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Worker, type WorkerOptions } from 'bullmq';
import { registerScript } from '../admission/script.js';
import type { RedisConnection } from '../connection/connect-redis.js';

/**
 * BullMQ leaves its marker behind every job that is taken, so that the next worker is woken for the next job, also where none
 * is left: whoever is woken by it asks twice more for nothing.
 */
const TAKE_IDLE_MARKER_LUA = `
if redis.call('LLEN', KEYS[1]) == 0 and redis.call('ZCARD', KEYS[2]) == 0 then redis.call('ZREM', KEYS[3], '0') end
return 0
`;

/** How long BullMQ is kept from asking again after Redis refused, for instance because its memory is full. */
const PAUSE_AFTER_REFUSAL_MS = 1_000;

/**
 * A BullMQ worker that takes nothing once paused, is woken for a job only once, knows when Redis last answered a fetch, and
 * can be left behind.
 */
export class FetchingWorker<Data> extends Worker<Data, void> {
  lastFetchMs = Date.now();
  readonly #redis: RedisConnection;
  readonly #takeIdleMarker: () => Promise<unknown>;
  #hasLeftMarker = false;

  constructor(
    name: string,
    run: (job: Job<Data, void>) => Promise<void>,
    redis: RedisConnection,
    options: Omit<WorkerOptions, 'connection'>,
  ) {
    super(name, run, { ...options, connection: redis });
    this.#redis = redis;
    const script = registerScript(redis, 'gwTakeIdleMarker', TAKE_IDLE_MARKER_LUA);
    const keys = ['wait', 'prioritized', 'marker'].map((key) => this.toKey(key));
    this.#takeIdleMarker = () => script({ keys, args: [] });
    this.on('active', () => {
      this.#hasLeftMarker = true;
    });
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<Data, void>> {
    // BullMQ lets a worker that was already waiting take one more job after it was told to stop.
    if (this.paused || this.closing !== undefined) return this.#leaveToAnother();
    if (this.#hasLeftMarker) {
      this.#hasLeftMarker = false;
      // In the same write as the fetch. Where it fails, that fails too and says so.
      this.#takeIdleMarker().catch(() => undefined);
    }
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
