import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, Loop } from '@gateway/observability';
import type { AdmissionStore, UsageEntry, UsageStream } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ADMISSION_STORE, CONSUMER_NAME, LOGGER, METRICS, USAGE_STREAM } from '../tokens.js';
import { RecordBatch } from './record-batch.service.js';

const BATCH_SIZE = 500;
const BLOCK_MS = 1_000;
/** A consumer that holds entries for this long has died. */
const STALE_AFTER_MS = 5_000;
const CLAIM_STALE_EVERY_MS = 2_000;
const RETRY_MS = 200;
/**
 * A pause after a small batch lets the next one fill: a commit for each request would cost more than the requests. The
 * pause grows with the load, so a lone request is booked at once, and a busy system makes a few commits a second.
 */
const COLLECT_MS = 50;
const MOST_COLLECT_MS = 250;

/** Reads usage events from the stream in batches. Any number of processes may run it; the ledger records each event once. */
@Injectable()
export class ConsumeUsage implements OnApplicationBootstrap {
  readonly #loop: Loop;
  #claimedStaleAtMs = 0;

  constructor(
    @Inject(USAGE_STREAM) private readonly stream: Pick<UsageStream, 'claimStale' | 'read'>,
    @Inject(ADMISSION_STORE) private readonly store: Pick<AdmissionStore, 'currentEpoch'>,
    @Inject(CONSUMER_NAME) private readonly consumer: string,
    @Inject(METRICS) private readonly metrics: Pick<BillingMetrics, 'batchSeconds'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly recordBatch: RecordBatch,
  ) {
    this.#loop = new Loop({
      intervalMs: 0,
      run: (signal) => this.#consumeAndCollect(signal),
      onError: (error) => this.logger.warn({ err: error }, 'usage consumption failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  /** Resolves when the current batch is in the ledger. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #consumeAndCollect(signal: AbortSignal): Promise<void> {
    const count = await this.consume({ blockMs: BLOCK_MS, staleAfterMs: STALE_AFTER_MS }, signal);
    if (count > 0 && count < BATCH_SIZE / 2) await this.#pause(signal, Math.min(count * COLLECT_MS, MOST_COLLECT_MS));
  }

  /**
   * Reads and records one batch; returns its size. The entries belong to an epoch only if Redis was in that epoch both
   * before and after they were read.
   */
  async consume(
    { blockMs, staleAfterMs }: { readonly blockMs: number; readonly staleAfterMs: number },
    signal: AbortSignal,
  ): Promise<number> {
    const epoch = await this.#readEpoch();
    if (epoch === null) {
      await this.#pause(signal, RETRY_MS);
      return 0;
    }
    const entries = (await this.#claimStale(staleAfterMs)) ?? (await this.#readNew(blockMs));
    if (entries.length === 0) return 0;
    // The epoch of these entries is unknown. Those that still exist become stale and are claimed later.
    if ((await this.#readEpoch()) !== epoch) return entries.length;
    const stopTimer = this.metrics.batchSeconds.startTimer();
    await this.#recordUntilDone(entries, epoch, signal);
    stopTimer();
    return entries.length;
  }

  /** Retries until the batch is recorded, the process stops, or Redis begins another epoch. */
  async #recordUntilDone(entries: readonly UsageEntry[], epoch: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await this.recordBatch.record(entries, BigInt(epoch))) return;
      } catch (error) {
        this.logger.warn({ err: error, entries: entries.length }, 'settlement failed: retrying the batch');
      }
      await this.#pause(signal, RETRY_MS);
      const current = await this.#readEpoch();
      if (current !== null && current !== epoch) return;
    }
  }

  /** Undefined: the last claim was a moment ago, or no entry is stale. */
  async #claimStale(minIdleMs: number): Promise<readonly UsageEntry[] | undefined> {
    const nowMs = performance.now();
    if (minIdleMs > 0 && nowMs - this.#claimedStaleAtMs < CLAIM_STALE_EVERY_MS) return undefined;
    this.#claimedStaleAtMs = nowMs;
    const entries = await this.stream.claimStale({ consumer: this.consumer, minIdleMs, count: BATCH_SIZE });
    return entries.length === 0 ? undefined : entries;
  }

  #readNew(blockMs: number): Promise<readonly UsageEntry[]> {
    return this.stream.read({ consumer: this.consumer, count: BATCH_SIZE, blockMs });
  }

  /** Null: Redis has no epoch, or does not respond. */
  async #readEpoch(): Promise<string | null> {
    try {
      return await this.store.currentEpoch();
    } catch (error) {
      this.logger.debug({ err: error }, 'epoch not read');
      return null;
    }
  }

  async #pause(signal: AbortSignal, durationMs: number): Promise<void> {
    await sleep(durationMs, undefined, { signal }).catch(() => undefined);
  }
}
