import { CLOCK_LUA, registerScript, type Script } from '../admission/script.js';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';

const MICROSECONDS_PER_SECOND = 1_000_000;

/**
 * Books the next free moment of a channel, if that is near enough. `next` is when the channel may be asked again after
 * all that is booked: each booking moves it on by one interval, and a rest moves it on for everybody.
 */
const BOOK_LUA = `${CLOCK_LUA}
local interval, wait_at_most = tonumber(ARGV[1]), tonumber(ARGV[2])
local now = now_us(ARGV[3])
local at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
local wait = at - now
if wait > wait_at_most then return {0, math.ceil(wait / 1000)} end
redis.call('SET', KEYS[1], string.format('%.0f', at + interval), 'PX', math.ceil((at + interval - now) / 1000) + 1000)
return {1, math.ceil(wait / 1000)}
`;

const REST_LUA = `${CLOCK_LUA}
local now = now_us(ARGV[2])
local until_us = now + tonumber(ARGV[1]) * 1000
if tonumber(redis.call('GET', KEYS[1]) or '0') >= until_us then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', until_us), 'PX', tonumber(ARGV[1]) + 1000)
return 1
`;

export interface PollSlot {
  /** False: it is too far off, nothing was booked. */
  readonly isReserved: boolean;
  /** Until the turn, or until it is worth asking for one. */
  readonly waitMs: number;
}

export interface PollRateLimiterOptions {
  readonly keys?: RedisKeys;
  /** Stands in for Redis' own clock where a test must not wait. */
  readonly nowMs?: () => number;
}

/** How often a channel is asked for its tasks, by all workers together: vendors count the questions of an account. */
export class PollRateLimiter {
  readonly #keys: RedisKeys;
  readonly #nowMs: () => string;
  readonly #book: Script;
  readonly #rest: Script;

  constructor(redis: RedisConnection, options: PollRateLimiterOptions = {}) {
    const { nowMs } = options;
    this.#keys = options.keys ?? redisKeys();
    this.#nowMs = nowMs === undefined ? () => '' : () => nowMs().toString();
    this.#book = registerScript(redis, 'gwBookPoll', BOOK_LUA);
    this.#rest = registerScript(redis, 'gwRestPolls', REST_LUA);
  }

  /** The next free moment of this channel, if it is at most `waitAtMostMs` away. */
  async reserve(channelId: string, perSecond: number, waitAtMostMs: number): Promise<PollSlot> {
    const interval = Math.max(1, Math.floor(MICROSECONDS_PER_SECOND / perSecond));
    const args = [interval.toString(), (waitAtMostMs * 1_000).toString(), this.#nowMs()];
    const reply = await this.#book({ keys: [this.#keys.pollRate(channelId)], args });
    const [isBooked, waitMs] = reply as [number, number];
    return { isReserved: isBooked === 1, waitMs };
  }

  /** Nobody asks this channel for so long: it has said that it is asked too often. */
  async coolDown(channelId: string, forMs: number): Promise<void> {
    const args = [Math.ceil(forMs).toString(), this.#nowMs()];
    await this.#rest({ keys: [this.#keys.pollRate(channelId)], args });
  }
}
