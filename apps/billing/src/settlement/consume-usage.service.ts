import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, Loop } from '@gateway/observability';
import type { ShardEpochs, UsageEntry, UsageStream } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { LOGGER, METRICS, SHARDS_TO_READ, USAGE_STREAM } from '../tokens.js';
import { BATCH_SIZE, pauseAfterMs } from './pause-after.js';
import { RecordBatch } from './record-batch.service.js';

const BLOCK_MS = 1_000;
/** A consumer that holds entries for this long has died. */
const STALE_AFTER_MS = 5_000;
/** After a request or with new shards, and at most while nothing happens: an event is stale only if it was read before. */
const CLAIM_STALE_MS = { busy: 2_000, rest: 64_000 };
const RETRY_MS = 200;

/** What this process reads. */
export interface ShardsToRead {
  /** The name of this process in the consumer groups. */
  readonly consumer: string;
  /** The shards that it holds. */
  held(): readonly number[];
  /** The epochs in which the ledger follows Redis; null: none. */
  followed(): ShardEpochs;
  /** The epochs of Redis now; undefined where it does not reply. Never rejects. */
  epochsNow(): Promise<ShardEpochs>;
}

/**
 * Reads the usage events of its shards in batches, of all shards together: a batch of each would be a commit of each. Any
 * number of processes may run it; the ledger records each event once.
 */
@Injectable()
export class ConsumeUsage implements OnApplicationBootstrap {
  readonly #loop: Loop;
  #claimedStaleAtMs = 0;
  #claimPauseMs = CLAIM_STALE_MS.busy;
  #claimedShards = '';

  constructor(
    @Inject(USAGE_STREAM) private readonly stream: Pick<UsageStream, 'claimStale' | 'read'>,
    @Inject(SHARDS_TO_READ) private readonly shards: ShardsToRead,
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
    try {
      const count = await this.consume({ blockMs: BLOCK_MS, staleAfterMs: STALE_AFTER_MS }, signal);
      const pauseMs = pauseAfterMs(count);
      if (pauseMs > 0) await this.#pause(signal, pauseMs);
    } catch (error) {
      await this.#pause(signal, RETRY_MS);
      throw error;
    }
  }

  /**
   * Reads and records one batch; returns its size. The entries belong to an epoch only if their shard was in it both before
   * and after they were read.
   */
  async consume(
    { blockMs, staleAfterMs }: { readonly blockMs: number; readonly staleAfterMs: number },
    signal: AbortSignal,
  ): Promise<number> {
    const epochs = this.shards.followed();
    const shards = this.shards.held().filter((shard) => typeof epochs[shard] === 'string');
    if (shards.length === 0) {
      await this.#pause(signal, RETRY_MS);
      return 0;
    }
    const read = (await this.#claimStale(shards, staleAfterMs)) ?? (await this.#readNew(shards, blockMs));
    if (read.length === 0) return 0;
    this.#claimPauseMs = CLAIM_STALE_MS.busy;
    const now = await this.shards.epochsNow();
    // The epoch of the others is unknown. Those that still exist become stale and are claimed later.
    const entries = read.filter(({ shard }) => now[shard] === epochs[shard]);
    const stopTimer = this.metrics.batchSeconds.startTimer();
    await this.#recordUntilDone(entries, epochs, signal);
    stopTimer();
    return read.length;
  }

  /** Retries until all is recorded, the process stops, or Redis has begun other epochs. */
  async #recordUntilDone(entries: readonly UsageEntry[], epochs: ShardEpochs, signal: AbortSignal): Promise<void> {
    let waiting = batchesOf(entries);
    for (;;) {
      const left: (readonly UsageEntry[])[] = [];
      for (const batch of waiting) left.push(...(await this.#record(batch, epochs)));
      if (left.length === 0 || signal.aborted) return;
      await this.#pause(signal, RETRY_MS);
      if (signal.aborted) return;
      const now = await this.shards.epochsNow();
      const isLost = ({ shard }: UsageEntry) => typeof now[shard] === 'string' && now[shard] !== epochs[shard];
      waiting = left.map((batch) => batch.filter((entry) => !isLost(entry))).filter((batch) => batch.length > 0);
    }
  }

  /** Returns what was not recorded: the whole batch, or each shard alone, so that a shard without an epoch delays no other. */
  async #record(batch: readonly UsageEntry[], epochs: ShardEpochs): Promise<readonly (readonly UsageEntry[])[]> {
    try {
      if (await this.recordBatch.record(batch, (shard) => BigInt(epochs[shard] ?? 0))) return [];
    } catch (error) {
      this.logger.warn({ err: error, entries: batch.length }, 'settlement failed: retrying the batch');
      return [batch];
    }
    return [...Map.groupBy(batch, ({ shard }) => shard).values()];
  }

  /** Undefined: the last claim was a moment ago, or no entry is stale. */
  async #claimStale(shards: readonly number[], minIdleMs: number): Promise<readonly UsageEntry[] | undefined> {
    const nowMs = performance.now();
    const names = shards.join();
    const isDue = names !== this.#claimedShards || nowMs - this.#claimedStaleAtMs >= this.#claimPauseMs;
    if (minIdleMs > 0 && !isDue) return undefined;
    // The events of another copy's shards become stale only after it has died.
    this.#claimPauseMs =
      names === this.#claimedShards ? Math.min(2 * this.#claimPauseMs, CLAIM_STALE_MS.rest) : CLAIM_STALE_MS.busy;
    this.#claimedShards = names;
    this.#claimedStaleAtMs = nowMs;
    const entries = await this.stream.claimStale({
      consumer: this.shards.consumer,
      minIdleMs,
      count: BATCH_SIZE,
      shards,
    });
    // A full claim has left others behind: the next one follows at once.
    if (entries.length >= BATCH_SIZE) this.#claimedShards = '';
    return entries.length === 0 ? undefined : entries;
  }

  async #readNew(shards: readonly number[], blockMs: number): Promise<readonly UsageEntry[]> {
    try {
      return await this.stream.read({ consumer: this.shards.consumer, count: BATCH_SIZE, blockMs, shards });
    } catch (error) {
      // Redis may have given entries to this process in a reply that was lost: they become stale.
      this.#claimPauseMs = CLAIM_STALE_MS.busy;
      throw error;
    }
  }

  async #pause(signal: AbortSignal, durationMs: number): Promise<void> {
    await sleep(durationMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Several shards together may return more than one batch. */
function batchesOf(entries: readonly UsageEntry[]): readonly (readonly UsageEntry[])[] {
  if (entries.length === 0) return [];
  const batches = Math.ceil(entries.length / BATCH_SIZE);
  return Array.from({ length: batches }, (_, index) => entries.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE));
}
