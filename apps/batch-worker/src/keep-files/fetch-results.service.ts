import { type Logger, Loop } from '@gateway/observability';
import type { ClaimedResult, FetchedResults, ResultEnd } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { FETCH_METRICS, FETCHED_RESULTS, LOGGER, OBJECT_STORE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { type FetchReason, reasonOf } from './fetch-failure.js';
import type { FetchMetrics } from './fetch-metrics.js';
import { StoreResult } from './store-result.service.js';

const INTERVAL_MS = 1_000;
/** Another worker takes over from a dead one after this time: some vendors' addresses end within minutes. */
const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 15_000;
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 10 * 60_000;

/** A further attempt would end the same way. */
const PERMANENT: ReadonlySet<FetchReason> = new Set(['too_large']);

interface Running {
  readonly run: Promise<void>;
  readonly leave: AbortController;
}

/** Fetches the results of vendors into the store, while their addresses hold. */
@Injectable()
export class FetchResults {
  readonly #loop: Loop;
  readonly #stop = new AbortController();
  readonly #renewal: Loop;
  readonly #running = new Map<ClaimedResult, Running>();

  constructor(
    @Inject(FETCHED_RESULTS) private readonly results: FetchedResults,
    private readonly storeResult: StoreResult,
    @Inject(OBJECT_STORE) private readonly store: unknown,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'results'>,
    @Inject(FETCH_METRICS) private readonly metrics: FetchMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: INTERVAL_MS,
      run: () => this.#claim(),
      onError: (error) => logger.warn({ err: error }, 'results not claimed'),
    });
    this.#renewal = new Loop({
      intervalMs: RENEW_EVERY_MS,
      run: () => this.renew(),
      onError: (error) => logger.warn({ err: error }, 'claims of results not renewed, will be retried'),
    });
  }

  start(): void {
    if (this.store === undefined) return;
    this.#loop.start();
    this.#renewal.start();
  }

  /** Gives running results back. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop.stop();
    await Promise.all([...this.#running.values()].map(({ run }) => run));
    await this.#renewal.stop();
  }

  /** Stops the attempts at results that another worker has taken, or that their customer has deleted. */
  async renew(): Promise<void> {
    const running = [...this.#running];
    if (running.length === 0) return;
    const held = new Set(
      await this.results.renew(
        running.map(([{ fileId, attempts }]) => ({ fileId, attempts })),
        LEASE_MS,
      ),
    );
    for (const [{ fileId }, { leave }] of running) if (!held.has(fileId)) leave.abort();
  }

  async #claim(): Promise<void> {
    const free = this.config.results.concurrency - this.#running.size;
    if (free === 0) return;
    for (const result of await this.results.claim(free, LEASE_MS)) void this.fetch(result);
  }

  /** One attempt. Never rejects: if its outcome could not be recorded, the claim ends, and it is attempted again. */
  fetch(result: ClaimedResult): Promise<void> {
    const leave = new AbortController();
    const run = this.#fetch(result, leave.signal)
      .catch((error: unknown) => this.logger.warn({ err: error, fileId: result.fileId }, 'result not recorded'))
      .finally(() => {
        this.#running.delete(result);
        this.#loop.kick();
      });
    this.#running.set(result, { run, leave });
    return run;
  }

  async #fetch(result: ClaimedResult, left: AbortSignal): Promise<void> {
    const { fileId, taskId, attempts } = result;
    const signal = AbortSignal.any([left, this.#stop.signal, AbortSignal.timeout(this.config.results.timeoutMs)]);
    try {
      const media = await this.storeResult.run(result, signal);
      await this.#end(result, { status: 'stored', media });
      this.#compare(result, media?.durationSeconds);
    } catch (error) {
      if (left.aborted) return;
      const reason = reasonOf(error, this.#stop.signal);
      this.metrics.failures.inc({ reason });
      this.logger.info({ err: error, fileId, taskId, reason, attempts }, 'result not fetched');
      if (reason === 'stopped') return this.results.return(result, reason);
      if (PERMANENT.has(reason)) return this.#end(result, { status: 'passed_on', reason });
      const inMs = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS);
      if (!(await this.results.retry(result, reason, inMs))) this.metrics.results.inc({ outcome: 'lost' });
    }
  }

  async #end(claim: ClaimedResult, end: ResultEnd): Promise<void> {
    await this.results.end(claim, end);
    this.metrics.results.inc({ outcome: end.status });
  }

  /** A vendor bills whole seconds. A difference is reported; the receipt stays. */
  #compare({ taskId, billedSeconds }: ClaimedResult, durationSeconds: number | undefined): void {
    if (billedSeconds === null || durationSeconds === undefined) return;
    // Frames do not end exactly at a second.
    if (Math.abs(billedSeconds - durationSeconds) < 1) return;
    this.metrics.differences.inc();
    this.logger.warn({ taskId, billedSeconds, durationSeconds }, 'billed seconds differ from the video');
  }
}
