import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';

/** A request that was refused before it cost anything, so that no receipt names it. */
export interface RefusedRequest {
  readonly requestId: string;
  readonly atMs: number;
  readonly keyId: string;
  readonly isTest: boolean;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly code: string;
  /** As the client got it. */
  readonly message: string;
  readonly param: string | null;
}

/** Enough to find a mistake, too little to fill Redis. */
const MAX_KEPT = 20;
const KEPT_SECONDS = 3_600;

/** The latest refused requests of each account, for an hour. */
export class RecentRefusals {
  constructor(
    private readonly redis: RedisConnection,
    private readonly keys: RedisKeys = redisKeys(),
  ) {}

  /** Best effort: rejects while Redis is away. */
  async record(accountId: string, refused: RefusedRequest): Promise<void> {
    const key = this.keys.refusals(accountId);
    await this.redis
      .multi()
      .lpush(key, JSON.stringify(refused))
      .ltrim(key, 0, MAX_KEPT - 1)
      .expire(key, KEPT_SECONDS)
      .exec();
  }

  /** The newest first. Only `record` writes the list, so its JSON is trusted. */
  async read(accountId: string): Promise<readonly RefusedRequest[]> {
    const texts = await this.redis.lrange(this.keys.refusals(accountId), 0, MAX_KEPT - 1);
    return texts.map((text) => JSON.parse(text) as RefusedRequest);
  }
}
