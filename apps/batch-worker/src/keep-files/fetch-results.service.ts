import { type Logger, Loop } from '@gateway/observability';
import type { ClaimedResult, FetchedResults, ResultEnd } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { FETCH_METRICS, FETCHED_RESULTS, LOGGER, OBJECT_STORE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { type FetchReason, reasonOf } from './fetch-failure.js';
import type { FetchMetrics } from './fetch-metrics.js';
import { StoreResult } from './store-result.service.js';

const INTERVAL_MS = 1_000;
/** Longer than an attempt, with the time of the store. */
const LEASE_MARGIN_MS = 10 * 60_000;
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 10 * 60_000;

/** A further attempt would end the same way. */
const PERMANENT: ReadonlySet<FetchReason> = new Set(['too_large']);

/** Fetches the results of vendors into the store, while their addresses hold. */
@Injectable()
export class FetchResults {
  readonly #loop: Loop;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();

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
  }

  start(): void {
    if (this.store !== undefined) this.#loop.start();
  }

  /** Gives running results back. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop.stop();
    await Promise.all(this.#running);
  }

  async #claim(): Promise<void> {
    const { concurrency, timeoutMs } = this.config.results;
    const free = concurrency - this.#running.size;
    if (free === 0) return;
    for (const result of await this.results.claim(free, timeoutMs + LEASE_MARGIN_MS)) {
      const run = this.fetch(result)
        .catch((error: unknown) => this.logger.warn({ err: error, fileId: result.fileId }, 'result not recorded'))
        .finally(() => {
          this.#running.delete(run);
          this.#loop.kick();
        });
      this.#running.add(run);
    }
  }

  /** One attempt. Rejects if its outcome could not be recorded: the lease then ends, and it is attempted again. */
  async fetch(result: ClaimedResult): Promise<void> {
    const { fileId, taskId, sourceExpiresAtMs, attempts } = result;
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(this.config.results.timeoutMs)]);
    try {
      const media = await this.storeResult.run(result, signal);
      await this.#end(result, { status: 'stored', media });
      this.#compare(result, media?.durationSeconds);
    } catch (error) {
      const reason = reasonOf(error, this.#stop.signal);
      this.metrics.failures.inc({ reason });
      this.logger.info({ err: error, fileId, taskId, reason, attempts }, 'result not fetched');
      if (reason === 'stopped') return this.results.retry(fileId, reason, 0);
      if (PERMANENT.has(reason)) return this.#end(result, { status: 'passed_on', reason });
      const inMs = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LAST_RETRY_MS);
      if (Date.now() + inMs >= sourceExpiresAtMs) return this.#end(result, { status: 'lost', reason });
      await this.results.retry(fileId, reason, inMs);
    }
  }

  async #end({ fileId }: ClaimedResult, end: ResultEnd): Promise<void> {
    await this.results.end(fileId, end);
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
