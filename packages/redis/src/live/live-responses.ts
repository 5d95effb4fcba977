import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';

/** Limit of one response here. A reader gets what is beyond it from the store, at the end. */
export const MAX_LIVE_BYTES = 1024 * 1024;
/** Longer than the longest pause of a stream. */
const EXPIRES_AFTER_SECONDS = 900;
const READ_BYTES = 256 * 1024;

/**
 * The bytes of running streams, for readers at any edge. All of it can be lost: the worker has the bytes, and stores them at
 * the end.
 */
export class LiveResponses {
  constructor(
    private readonly redis: RedisConnection,
    private readonly keys: RedisKeys = redisKeys(),
  ) {}

  /** Writes `bytes` at their place in the response; a repeated write changes nothing. Rejects while Redis is
   * away, and if it has lost what is before: write from 0 then. */
  async write(requestId: string, offset: number, bytes: Buffer): Promise<void> {
    const room = MAX_LIVE_BYTES - offset;
    if (room <= 0) return;
    const key = this.keys.liveResponse(requestId);
    // Redis would fill a gap with zeros, and a reader would take them for the response.
    if ((await this.redis.strlen(key)) < offset) throw new Error(`live response: bytes before ${offset} are lost`);
    await this.redis.setrange(key, offset, bytes.subarray(0, room));
    await this.redis.expire(key, EXPIRES_AFTER_SECONDS);
  }

  /** What follows the first `offset` bytes; empty if nothing is there yet. */
  read(requestId: string, offset: number): Promise<Buffer> {
    return this.redis.getrangeBuffer(this.keys.liveResponse(requestId), offset, offset + READ_BYTES - 1);
  }

  /** True if a reader may have got some of the response. */
  async hasBegun(requestId: string): Promise<boolean> {
    return (await this.redis.exists(this.keys.liveResponse(requestId))) === 1;
  }
}
