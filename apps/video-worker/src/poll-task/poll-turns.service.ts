import { setTimeout as sleep } from 'node:timers/promises';
import type { Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { PollRate } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, POLL_RATE, WORKER_CONFIG, type WorkerConfig } from '../doors.js';

/** Of one credential. DashScope's is published (20 task queries a second for an account), the others are on the safe side. */
const PER_SECOND: Readonly<Partial<Record<Vendor, number>>> = { dashscope: 20, ark: 10, xai: 10 };
const USUAL_PER_SECOND = 10;
/** A turn further off is not waited for: others would wait behind it. */
const WAIT_AT_MOST_MS = 1_000;

/** Has a channel asked no more often than its vendor allows, by all workers together. */
@Injectable()
export class PollTurns {
  constructor(
    @Inject(POLL_RATE) private readonly rate: PollRate,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves when it is this caller's turn; else with how long to stay away. Without Redis everybody goes: vendors refuse too many. */
  async take(vendor: Vendor, channelId: string, stop: AbortSignal): Promise<{ readonly stayAwayMs: number }> {
    const perSecond = this.config.pollsPerSecond[vendor] ?? PER_SECOND[vendor] ?? USUAL_PER_SECOND;
    try {
      const { isBooked, waitMs } = await this.rate.book(channelId, perSecond, WAIT_AT_MOST_MS);
      if (!isBooked) return { stayAwayMs: waitMs };
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
      .rest(channelId, forMs)
      .catch((error: unknown) => this.logger.debug({ err: error, channelId }, 'a rest is not shared'));
  }
}
