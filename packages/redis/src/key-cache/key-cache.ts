import type { KeyRecord } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { jsonArgs, registerScript, type Script } from '../scripts/script.js';
import { parseKeyRecord } from './key-record.js';

const RECORD_TTL_MS = 60_000;
const ABSENT_TTL_MS = 5_000;
const FENCE_TTL_MS = 10_000;
const ABSENT = '-';

/** Caches API key records by the SHA-256 of the complete key. On a miss or without Redis, callers read the authority. */
export class KeyCache {
  readonly #redis: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #storeKey: Script;

  constructor(redis: RedisConnection, keys: RedisKeys = redisKeys()) {
    this.#redis = redis;
    this.#keys = keys;
    this.#storeKey = registerScript(redis, 'key-cache/store-key');
  }

  /** The record; null: no such key exists; undefined: not cached, read the authority. */
  async get(keySha256: string): Promise<KeyRecord | null | undefined> {
    const text = await this.#redis.get(this.#keys.keyRecord(keySha256));
    if (text === null) return undefined;
    return text === ABSENT ? null : parseKeyRecord(text);
  }

  async set(record: KeyRecord): Promise<void> {
    await this.#store(record.keySha256, JSON.stringify(record), RECORD_TTL_MS);
  }

  /** Caches for five seconds that no such key exists, so that guessed keys do not reach the authority. */
  async setAbsent(keySha256: string): Promise<void> {
    await this.#store(keySha256, ABSENT, ABSENT_TTL_MS);
  }

  /**
   * Call it before a change. These keys are not cached for ten seconds, so that a process that dies after its change, and
   * before `invalidate`, leaves no old record.
   */
  async fence(keySha256: readonly string[]): Promise<void> {
    const fenceAndDelete = async (sha256: string) => {
      await this.#redis.set(this.#keys.keyFence(sha256), '', 'PX', FENCE_TTL_MS);
      await this.#redis.del(this.#keys.keyRecord(sha256));
    };
    await Promise.all(keySha256.map(fenceAndDelete));
  }

  /** Call it after the change is committed: a reader that fetched the old record just before it cannot store that. */
  async invalidate(keySha256: readonly string[]): Promise<void> {
    if (keySha256.length === 0) return;
    await this.fence(keySha256);
    await this.#redis.publish(this.#keys.invalidatedKeys, JSON.stringify(keySha256));
  }

  async #store(keySha256: string, record: string, ttlMs: number): Promise<void> {
    const keys = [this.#keys.keyRecord(keySha256), this.#keys.keyFence(keySha256)];
    await this.#storeKey({ keys, args: [jsonArgs({ record, ttlMs: `${ttlMs}` })] });
  }
}
