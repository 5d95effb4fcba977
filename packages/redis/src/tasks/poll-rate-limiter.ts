import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { clockOf, jsonArgs, registerScript, type Script } from '../scripts/script.js';

const MICROSECONDS_PER_SECOND = 1_000_000;

export interface PollSlot {
  /** False: the next slot is too far off, and nothing was reserved. */
  readonly isReserved: boolean;
  /** Milliseconds until the slot, or until the next attempt can succeed. */
  readonly waitMs: number;
}

export interface PollRateLimiterOptions {
  readonly keys?: RedisKeys;
  /** Replaces Redis' own clock in tests. Unix milliseconds. */
  readonly nowMs?: () => number;
}

/** Limits the polls of a channel across all workers: upstreams limit the requests of an account. */
export class PollRateLimiter {
  readonly #keys: RedisKeys;
  readonly #givenMs: () => string;
  readonly #reserve: Script;
  readonly #coolDown: Script;

  constructor(redis: RedisConnection, options: PollRateLimiterOptions = {}) {
    this.#keys = options.keys ?? redisKeys();
    this.#givenMs = clockOf(options.nowMs);
    this.#reserve = registerScript(redis, 'polling/reserve-poll');
    this.#coolDown = registerScript(redis, 'polling/cool-down');
  }

  /** Reserves the channel's next free slot, if it is at most `maxWaitMs` away. */
  async reserve(channelId: string, perSecond: number, maxWaitMs: number): Promise<PollSlot> {
    const intervalUs = Math.max(1, Math.floor(MICROSECONDS_PER_SECOND / perSecond));
    const args = { intervalUs: `${intervalUs}`, maxWaitUs: `${maxWaitMs * 1_000}`, givenMs: this.#givenMs() };
    const reply = await this.#reserve({ keys: [this.#keys.pollRate(channelId)], args: [jsonArgs(args)] });
    const [isReserved, waitMs] = reply as [number, number];
    return { isReserved: isReserved === 1, waitMs };
  }

  /** Stops all polls of this channel for `forMs`, after its upstream reported too many. */
  async coolDown(channelId: string, forMs: number): Promise<void> {
    const args = { cooldownMs: `${Math.ceil(forMs)}`, givenMs: this.#givenMs() };
    await this.#coolDown({ keys: [this.#keys.pollRate(channelId)], args: [jsonArgs(args)] });
  }
}
