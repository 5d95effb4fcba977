import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Worker, type WorkerOptions } from 'bullmq';
import type { RedisConnection } from '../connection/connect-redis.js';
import { registerScript } from '../scripts/script.js';
import { skipIdleChecks } from './skip-idle-checks.js';

/** Pause after Redis refused a fetch, for example because its memory is full. BullMQ alone retries thousands of times a second. */
const PAUSE_AFTER_REFUSAL_MS = 1_000;

/** A job that is still the next one after this time finds no idle worker. */
const LET_OTHERS_FIRST_MS = 10;

/** What a worker may fetch, asked before each fetch and after the start of each job. */
export interface Fetching {
  /** Jobs that the worker may have at once. */
  maxJobs(): number;
  /** True while an idle worker, if there is one, would run the next job sooner. */
  letsOthersFirst(): boolean;
}

/**
 * A BullMQ worker with six corrections. It fetches nothing once paused, no more than it may have, and wakes once per job.
 * Without a free slot it lets idle workers fetch first. It records when Redis last replied to a fetch. It looks for stalled
 * jobs while some are active. It can be abandoned while Redis is away.
 */
export class FetchingWorker<Data> extends Worker<Data, void> {
  lastFetchMs = performance.now();
  readonly #redis: RedisConnection;
  readonly #removeIdleMarker: () => Promise<unknown>;
  readonly #nextJob: () => Promise<unknown>;
  #mayHaveMarker = false;
  #isQueueEmpty = true;
  #letsOthersFirst = false;

  constructor(
    name: string,
    run: (job: Job<Data, void>) => Promise<void>,
    redis: RedisConnection,
    private readonly fetching: Fetching,
    options: Omit<WorkerOptions, 'connection' | 'concurrency'>,
  ) {
    super(name, (job) => this.#start(run(job)), { ...options, connection: redis });
    this.#redis = redis;
    const scriptOn = (path: string, ...names: readonly string[]) => {
      const script = registerScript(redis, path);
      const keys = names.map((name) => this.toKey(name));
      return (...args: readonly string[]) => script({ keys, args });
    };
    this.#removeIdleMarker = scriptOn('queues/remove-idle-marker', 'wait', 'prioritized', 'marker');
    const nextJob = scriptOn('queues/next-job', 'wait', 'delayed');
    this.#nextJob = () => nextJob(Date.now().toString());
    skipIdleChecks(this, () => redis.llen(this.toKey('active')));
    this.on('active', () => {
      this.#mayHaveMarker = true;
      this.#isQueueEmpty = false;
    });
    this.on('drained', () => {
      this.#isQueueEmpty = true;
    });
    // BullMQ fetches nothing while Redis refuses to wait for a job, for example because its disk is full.
    this.on('error', ({ name }) => {
      if (name === 'ReplyError') this.lastFetchMs = performance.now();
    });
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<Data, void>> {
    // BullMQ lets a worker that was already waiting fetch one more job after a pause.
    if (this.#mustStop) return this.#skipFetch();
    if (this.#isQueueEmpty && this.fetching.letsOthersFirst()) {
      // A returned job also asks for the next one.
      if (this.#letsOthersFirst) return this.nextJobFromJobData();
      await this.#letOthersFirst();
      if (this.#mustStop) return this.#skipFetch();
    }
    if (this.#mayHaveMarker) {
      this.#mayHaveMarker = false;
      // Leaves in the same write as the fetch, which reports a failure of the connection.
      this.#removeIdleMarker().catch(() => undefined);
    }
    try {
      const job = await super.moveToActive(token, name);
      this.lastFetchMs = performance.now();
      this.#updateLimit();
      return job;
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError') {
        this.lastFetchMs = performance.now();
        await sleep(PAUSE_AFTER_REFUSAL_MS);
      }
      throw error;
    }
  }

  /** BullMQ starts several jobs between two fetches. If these wait, it must fetch more without waiting for the end of one. */
  #start(running: Promise<void>): Promise<void> {
    this.#updateLimit();
    return running;
  }

  #updateLimit(): void {
    this.concurrency = Math.max(1, this.fetching.maxJobs());
  }

  get #mustStop(): boolean {
    return this.paused || this.closing !== undefined;
  }

  #skipFetch(): Promise<Job<Data, void>> {
    this.#restoreMarker();
    return this.nextJobFromJobData();
  }

  /** A marker wakes only one worker: this passes it on to an idle one. */
  #restoreMarker(): void {
    this.#redis.zadd(this.toKey('marker'), 0, '0').catch((error: Error) => this.emit('error', error));
  }

  /** Waits without the queue's markers, until this worker has a free slot or the next job has found no idle worker. */
  async #letOthersFirst(): Promise<void> {
    this.#letsOthersFirst = true;
    this.#restoreMarker();
    try {
      let last: unknown = '';
      while (this.fetching.letsOthersFirst() && !this.#mustStop) {
        const next = await this.#nextJob();
        this.lastFetchMs = performance.now();
        if (next !== '' && next === last) break;
        last = next;
        await sleep(LET_OTHERS_FIRST_MS);
      }
    } finally {
      this.#letsOthersFirst = false;
      this.#mayHaveMarker = true;
    }
  }

  /** Stops the timers that keep the process alive after an incomplete close. */
  async abandon(): Promise<void> {
    await this.lockManager.close();
  }
}
