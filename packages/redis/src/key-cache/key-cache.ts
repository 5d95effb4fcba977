import type { KeyRecord } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { parseKeyRecord } from './key-record.js';

const RECORD_TTL_MS = 60_000;
const ABSENT_TTL_MS = 5_000;
const FENCE_TTL_MS = 10_000;
const ABSENT = '-';

const STORE_LUA = `
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

/** What is known of API keys, by the SHA-256 of the whole key. It is a cache: without Redis the authority is asked. */
export class KeyCache {
  readonly #redis: RedisConnection;
  readonly #keys: RedisKeys;

  constructor(redis: RedisConnection, keys: RedisKeys = redisKeys()) {
    this.#redis = redis;
    this.#keys = keys;
    redis.defineCommand('gwStoreKey', { numberOfKeys: 2, lua: STORE_LUA });
  }

  /** The record; null: there is no such key; undefined: not cached, ask the authority. */
  async get(keySha256: string): Promise<KeyRecord | null | undefined> {
    const text = await this.#redis.get(this.#keys.keyRecord(keySha256));
    if (text === null) return undefined;
    return text === ABSENT ? null : parseKeyRecord(text);
  }

  async set(record: KeyRecord): Promise<void> {
    await this.#store(record.keySha256, JSON.stringify(record), RECORD_TTL_MS);
  }

  /** Remembers for a short while that there is no such key, so that guessing does not reach the authority. */
  async setAbsent(keySha256: string): Promise<void> {
    await this.#store(keySha256, ABSENT, ABSENT_TTL_MS);
  }

  /**
   * Call it after the change is committed. Nothing is cached for these keys for ten seconds: a reader that has fetched
   * the old record just before the change cannot put it back.
   */
  async invalidate(keySha256: readonly string[]): Promise<void> {
    if (keySha256.length === 0) return;
    const forget = async (sha256: string) => {
      await this.#redis.set(this.#keys.keyFence(sha256), '', 'PX', FENCE_TTL_MS);
      await this.#redis.del(this.#keys.keyRecord(sha256));
    };
    await Promise.all(keySha256.map(forget));
    await this.#redis.publish(this.#keys.invalidatedKeys, JSON.stringify(keySha256));
  }

  async #store(keySha256: string, text: string, ttlMs: number): Promise<void> {
    const store = Reflect.get(this.#redis, 'gwStoreKey') as (...args: (string | number)[]) => Promise<number>;
    await store.call(this.#redis, this.#keys.keyRecord(keySha256), this.#keys.keyFence(keySha256), text, ttlMs);
  }
}
