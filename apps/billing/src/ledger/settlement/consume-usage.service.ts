import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, Loop } from '@gateway/observability';
import type { AdmissionStore, UsageEntry, UsageStream } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../../observability/billing-metrics.js';
import { ADMISSION_STORE, CONSUMER_NAME, LOGGER, METRICS, USAGE_STREAM } from '../../tokens.js';
import { RecordBatch } from './record-batch.service.js';

const BATCH = 500;
const BLOCK_MS = 1_000;
/** A consumer that has sat on entries for so long has died. */
const STALE_AFTER_MS = 5_000;
const LOOK_FOR_STALE_EVERY_MS = 2_000;
const RETRY_MS = 200;
/** After a small batch the next one may gather: a commit for each request would cost more than the requests. */
const COLLECT_MS = 50;

/** Takes usage events from the stream, batch by batch. Any number of processes may; the ledger takes each once. */
@Injectable()
export class ConsumeUsage implements OnApplicationBootstrap {
  readonly #loop: Loop;
  #lookedForStaleAtMs = 0;

  constructor(
    @Inject(USAGE_STREAM) private readonly stream: UsageStream,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(CONSUMER_NAME) private readonly consumer: string,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly recordBatch: RecordBatch,
  ) {
    this.#loop = new Loop({
      intervalMs: 0,
      run: (signal) => this.#consumeAndCollect(signal),
      onError: (error) => this.logger.warn({ err: error }, 'cannot consume usage'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  /** Resolves when the batch under way is in the ledger. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #consumeAndCollect(signal: AbortSignal): Promise<void> {
    const count = await this.consume({ blockMs: BLOCK_MS, staleAfterMs: STALE_AFTER_MS }, signal);
    if (count > 0 && count < BATCH / 2) await this.#pause(signal, COLLECT_MS);
  }

  /** One batch; gives how many entries were read. Entries count for the epoch that Redis was in both before and after they were read. */
  async consume(
    { blockMs, staleAfterMs }: { readonly blockMs: number; readonly staleAfterMs: number },
    signal: AbortSignal,
  ): Promise<number> {
    const epoch = await this.#epoch();
    if (epoch === null) {
      await this.#pause(signal, RETRY_MS);
      return 0;
    }
    const entries = (await this.#stale(staleAfterMs)) ?? (await this.#fresh(blockMs));
    if (entries.length === 0) return 0;
    // Otherwise nobody knows which life they belong to: what still exists comes back as stale.
    if ((await this.#epoch()) !== epoch) return entries.length;
    const stopTimer = this.metrics.batchSeconds.startTimer();
    await this.#recordUntilDone(entries, epoch, signal);
    stopTimer();
    return entries.length;
  }

  async #recordUntilDone(entries: readonly UsageEntry[], epoch: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await this.recordBatch.record(entries, BigInt(epoch))) return;
      } catch (error) {
        this.logger.warn({ err: error, entries: entries.length }, 'cannot record usage yet');
      }
      await this.#pause(signal, RETRY_MS);
      const current = await this.#epoch();
      if (current !== null && current !== epoch) return;
    }
  }

  /** Undefined if it is not time to look, or nothing is stale. */
  async #stale(minIdleMs: number): Promise<readonly UsageEntry[] | undefined> {
    const nowMs = performance.now();
    if (minIdleMs > 0 && nowMs - this.#lookedForStaleAtMs < LOOK_FOR_STALE_EVERY_MS) return undefined;
    this.#lookedForStaleAtMs = nowMs;
    const entries = await this.stream.claimStale({ consumer: this.consumer, minIdleMs, count: BATCH });
    return entries.length === 0 ? undefined : entries;
  }

  #fresh(blockMs: number): Promise<readonly UsageEntry[]> {
    return this.stream.read({ consumer: this.consumer, count: BATCH, blockMs });
  }

  /** Null also while Redis is away. */
  async #epoch(): Promise<string | null> {
    try {
      return await this.store.currentEpoch();
    } catch (error) {
      this.logger.debug({ err: error }, 'cannot read the epoch');
      return null;
    }
  }

  async #pause(signal: AbortSignal, forMs: number): Promise<void> {
    await sleep(forMs, undefined, { signal }).catch(() => undefined);
  }
}
