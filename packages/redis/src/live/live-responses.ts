import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { clockOf, jsonArgs, registerScript, type Script } from '../scripts/script.js';

const MEBIBYTE = 1024 * 1024;
/** Limit of one response here. A reader gets what is beyond it from the store, at the end. */
export const MAX_LIVE_BYTES = MEBIBYTE;
/** Longer than the longest pause of a stream. */
const EXPIRES_AFTER_SECONDS = 900;
const READ_BYTES = 256 * 1024;
/** Memory is reserved in steps: most streams reserve once. */
const STEP_BYTES = 64 * 1024;
const ALL_ACCOUNTS = 'all';

export interface LiveLimits {
  /** Of all running streams together. */
  readonly bytes: number;
  readonly accountBytes: number;
}

export interface RunningStream {
  readonly requestId: string;
  readonly accountId: string;
}

export interface LiveOptions {
  readonly keys?: RedisKeys;
  readonly limits?: LiveLimits;
  /** Replaces Redis' own clock in tests. Unix milliseconds. */
  readonly nowMs?: () => number;
}

/**
 * The bytes of running streams, for readers at any edge. All of it can be lost: the worker has the bytes, and stores them at
 * the end. Each account and all together have a limit, because this memory is that of the queues.
 */
export class LiveResponses {
  readonly #keys: RedisKeys;
  readonly #limits: LiveLimits;
  readonly #givenMs: () => string;
  readonly #reserve: Script;
  readonly #release: Script;
  readonly #write: Script;

  constructor(
    private readonly redis: RedisConnection,
    { keys = redisKeys(), limits = { bytes: 256 * MEBIBYTE, accountBytes: 32 * MEBIBYTE }, nowMs }: LiveOptions = {},
  ) {
    this.#keys = keys;
    this.#limits = limits;
    this.#givenMs = clockOf(nowMs);
    this.#reserve = registerScript(redis, 'live/reserve');
    this.#release = registerScript(redis, 'live/release');
    this.#write = registerScript(redis, 'live/write');
  }

  /**
   * Writes `bytes` at their place in the response; a repeated write changes nothing. False: no room, and nothing was
   * written. Rejects while Redis is away, and if it has lost what is before: write from 0 then.
   */
  async write(stream: RunningStream, offset: number, bytes: Buffer): Promise<boolean> {
    const shown = bytes.subarray(0, Math.max(0, MAX_LIVE_BYTES - offset));
    if (shown.length === 0) return true;
    if (!(await this.#reserveFor(stream, offset, offset + shown.length))) return false;
    const written = await this.#write({
      keys: [this.#keys.liveResponse(stream.requestId)],
      args: [`${offset}`, shown, `${EXPIRES_AFTER_SECONDS}`],
    });
    if (written === 0) throw new Error(`live response: bytes before ${offset} are lost`);
    return true;
  }

  /** What follows the first `offset` bytes; empty if nothing is there yet. */
  read(requestId: string, offset: number): Promise<Buffer> {
    return this.redis.getrangeBuffer(this.#keys.liveResponse(requestId), offset, offset + READ_BYTES - 1);
  }

  /** True if a reader may have got some of the response. */
  async hasBegun(requestId: string): Promise<boolean> {
    return (await this.redis.exists(this.#keys.liveResponse(requestId))) === 1;
  }

  /** The store has the whole response: readers go on there. */
  async end({ requestId, accountId }: RunningStream): Promise<void> {
    await this.redis.unlink(this.#keys.liveResponse(requestId));
    await Promise.all(
      [accountId, ALL_ACCOUNTS].map((scope) => this.#release({ keys: this.#useOf(scope), args: [requestId] })),
    );
  }

  /** A reservation that only one of the two grants is returned at the end of the stream, or expires. */
  async #reserveFor({ requestId, accountId }: RunningStream, from: number, to: number): Promise<boolean> {
    const steps = Math.ceil(to / STEP_BYTES);
    if (from > 0 && Math.ceil(from / STEP_BYTES) === steps) return true;
    const { bytes, accountBytes } = this.#limits;
    const reserve = async (scope: string, limitBytes: number): Promise<boolean> => {
      const args = jsonArgs({
        requestId,
        bytes: `${steps * STEP_BYTES}`,
        limitBytes: `${limitBytes}`,
        expiresInMs: `${EXPIRES_AFTER_SECONDS * 1_000}`,
        givenMs: this.#givenMs(),
      });
      return (await this.#reserve({ keys: this.#useOf(scope), args: [args] })) === 1;
    };
    const granted = await Promise.all([reserve(accountId, accountBytes), reserve(ALL_ACCOUNTS, bytes)]);
    return granted.every(Boolean);
  }

  #useOf(scope: string): readonly string[] {
    const { expiries, sizes } = this.#keys.liveUse(scope);
    return [expiries, sizes];
  }
}
