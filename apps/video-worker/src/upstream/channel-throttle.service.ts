import { setTimeout as sleep } from 'node:timers/promises';
import type { Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { recentReads, type TaskStore } from '@gateway/postgres';
import type { PollRateLimiter } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, POLL_RATE, TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';

/**
 * Polls per second for each credential. DashScope documents 20 per account; the margin of a tenth covers bursts. The other
 * vendors document no limit.
 */
const PER_SECOND: Readonly<Partial<Record<Vendor, number>>> = { dashscope: 18, ark: 10, xai: 10 };
const DEFAULT_PER_SECOND = 10;
/** A poll that waits longer would delay the polls queued behind it. */
const MAX_WAIT_MS = 1_000;
const COUNT_FRESH_MS = 5_000;

/** Keeps all workers together within the poll rate that a vendor allows each channel. */
@Injectable()
export class ChannelThrottle {
  /** With many open tasks it is the most expensive query. */
  readonly #openByChannel: () => Promise<ReadonlyMap<string, number>>;

  constructor(
    @Inject(POLL_RATE) private readonly rate: PollRateLimiter,
    @Inject(TASK_STORE) tasks: TaskStore,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#openByChannel = recentReads(COUNT_FRESH_MS, () => tasks.countOpenByChannel());
  }

  /**
   * Waits for a slot. `retryAfterMs` above 0 means that no slot was near. Without Redis every poll proceeds: vendors reject
   * the excess themselves.
   */
  async waitForSlot(vendor: Vendor, channelId: string, stop: AbortSignal): Promise<{ readonly retryAfterMs: number }> {
    try {
      const { isReserved, waitMs } = await this.rate.reserve(channelId, this.#perSecond(vendor), MAX_WAIT_MS);
      // Jitter over a full interval, so that rejected polls do not return together.
      if (!isReserved) return { retryAfterMs: waitMs + Math.random() * (await this.minIntervalMs(vendor, channelId)) };
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: stop });
    } catch (error) {
      stop.throwIfAborted();
      this.logger.debug({ err: error, channelId }, 'poll not throttled');
    }
    return { retryAfterMs: 0 };
  }

  /** Pauses a channel for all workers after its vendor has throttled a poll. */
  async coolDown(channelId: string, forMs: number): Promise<void> {
    await this.rate
      .coolDown(channelId, forMs)
      .catch((error: unknown) => this.logger.debug({ err: error, channelId }, 'cooldown not shared'));
  }

  /** The shortest time in which the rate allows one poll of every open task of a channel. */
  async minIntervalMs(vendor: Vendor, channelId: string): Promise<number> {
    const open = (await this.#openByChannel()).get(channelId) ?? 0;
    return (open / this.#perSecond(vendor)) * 1_000;
  }

  #perSecond(vendor: Vendor): number {
    return this.config.pollsPerSecond[vendor] ?? PER_SECOND[vendor] ?? DEFAULT_PER_SECOND;
  }
}
