import { setTimeout as sleep } from 'node:timers/promises';
import type { Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { TaskStore } from '@gateway/postgres';
import type { PollRateLimiter } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, POLL_RATE, TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../doors.js';

/**
 * Of one credential. DashScope's is published (20 task queries a second for an account; questions may arrive bunched, so a
 * tenth less), the others are on the safe side.
 */
const PER_SECOND: Readonly<Partial<Record<Vendor, number>>> = { dashscope: 18, ark: 10, xai: 10 };
const USUAL_PER_SECOND = 10;
/** A turn further off is not waited for: others would wait behind it. */
const WAIT_AT_MOST_MS = 1_000;
const COUNTED_FOR_MS = 5_000;

/** Has a channel asked no more often than its vendor allows, by all workers together. */
@Injectable()
export class PollTurns {
  #counted: { readonly open: Promise<ReadonlyMap<string, number>>; readonly atMs: number } | undefined;

  constructor(
    @Inject(POLL_RATE) private readonly rate: PollRateLimiter,
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves when it is this caller's turn; else with how long to stay away. Without Redis everybody goes: vendors refuse too many. */
  async take(vendor: Vendor, channelId: string, stop: AbortSignal): Promise<{ readonly stayAwayMs: number }> {
    try {
      const { isReserved: isBooked, waitMs } = await this.rate.reserve(
        channelId,
        this.#perSecond(vendor),
        WAIT_AT_MOST_MS,
      );
      // Whoever is sent away comes back somewhere in the time that a round takes, not all at once.
      if (!isBooked) return { stayAwayMs: waitMs + Math.random() * (await this.roundMs(vendor, channelId)) };
      if (waitMs > 0) await sleep(waitMs, undefined, { signal: stop });
    } catch (error) {
      stop.throwIfAborted();
      this.logger.debug({ err: error, channelId }, 'polls are not counted');
    }
    return { stayAwayMs: 0 };
  }

  /** The channel has said that it is asked too often. */
  async rest(channelId: string, forMs: number): Promise<void> {
    await this.rate
      .coolDown(channelId, forMs)
      .catch((error: unknown) => this.logger.debug({ err: error, channelId }, 'a rest is not shared'));
  }

  /** How long it takes at the least to ask once for every open task of a channel: none should be asked for more often. */
  async roundMs(vendor: Vendor, channelId: string): Promise<number> {
    return ((await this.#openOn(channelId)) / this.#perSecond(vendor)) * 1_000;
  }

  /** Counted once for all looks that want to know: with many open tasks it is the dearest question of all. */
  async #openOn(channelId: string): Promise<number> {
    const nowMs = performance.now();
    if (this.#counted === undefined || nowMs - this.#counted.atMs >= COUNTED_FOR_MS) {
      const counted = { open: this.tasks.countOpenByChannel(), atMs: nowMs };
      counted.open.catch(() => {
        if (this.#counted === counted) this.#counted = undefined;
      });
      this.#counted = counted;
    }
    return (await this.#counted.open).get(channelId) ?? 0;
  }

  #perSecond(vendor: Vendor): number {
    return this.config.pollsPerSecond[vendor] ?? PER_SECOND[vendor] ?? USUAL_PER_SECOND;
  }
}
