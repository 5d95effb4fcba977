import { objectOfFile } from '@gateway/contracts';
import { type Logger, Loop } from '@gateway/observability';
import type { FetchedResults, StoredObjects } from '@gateway/postgres';
import type { ObjectStore } from '@gateway/store';
import { Inject, Injectable } from '@nestjs/common';
import pMap from 'p-map';
import { FETCHED_RESULTS, LOGGER, OBJECT_STORE, STORED_OBJECTS, SWEEP_METRICS } from '../tokens.js';
import type { SweepMetrics } from './sweep-metrics.js';

const INTERVAL_MS = 5_000;
/** Files of one statement. */
const BATCH = 200;
/** Deletions that the store has at the same time. */
const CONCURRENCY = 8;
/** A receipt may be asked about for this long. */
const RESULTS_KEPT_MS = 60 * 24 * 3_600_000;

/** Deletes the bytes of files that expired or were deleted, and objects whose writer died. Any copy of this service may do it. */
@Injectable()
export class SweepObjects {
  readonly #loop: Loop;

  constructor(
    @Inject(STORED_OBJECTS) private readonly objects: StoredObjects,
    @Inject(FETCHED_RESULTS) private readonly results: FetchedResults,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore | undefined,
    @Inject(SWEEP_METRICS) private readonly metrics: SweepMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: INTERVAL_MS,
      run: (signal) => this.sweep(signal),
      onError: (error) => logger.warn({ err: error }, 'sweep of files failed'),
    });
  }

  start(): void {
    if (this.store !== undefined) this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** One round, until nothing is left or the store fails. */
  async sweep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hidden = await this.objects.hideExpired(BATCH);
      this.metrics.swept.inc({ step: 'expired' }, hidden);
      if (hidden < BATCH) break;
    }
    while (!signal.aborted && (await this.#deleteBytes())) {
      // Each round deletes one batch.
    }
    while (!signal.aborted && (await this.#deletePending())) {
      // Each round deletes one batch.
    }
    await this.results.removeOld(RESULTS_KEPT_MS, BATCH);
  }

  /** True if there may be more. */
  async #deleteBytes(): Promise<boolean> {
    const ids = await this.objects.hidden(BATCH);
    const gone = await this.#deleted(ids, objectOfFile);
    if (gone.length > 0) await this.objects.remove(gone);
    return gone.length === BATCH;
  }

  /** True if there may be more. */
  async #deletePending(): Promise<boolean> {
    const keys = await this.objects.takePending(BATCH);
    const gone = await this.#deleted(keys, (key) => key);
    if (gone.length > 0) await this.objects.removePending(gone);
    return gone.length === BATCH;
  }

  /** Those whose objects are deleted. The rows of the others stay, and are due again. */
  async #deleted(rows: readonly string[], keyOf: (row: string) => string): Promise<readonly string[]> {
    const deleted = await pMap(rows, (row) => this.#delete(keyOf(row)), { concurrency: CONCURRENCY });
    const gone = rows.filter((_row, index) => deleted[index]);
    this.metrics.swept.inc({ step: 'deleted' }, gone.length);
    this.metrics.swept.inc({ step: 'failed' }, rows.length - gone.length);
    return gone;
  }

  async #delete(key: string): Promise<boolean> {
    try {
      await this.store?.delete(key);
      return true;
    } catch (error) {
      this.logger.warn({ err: error, key }, 'object not deleted');
      return false;
    }
  }
}
