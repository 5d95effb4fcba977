import { randomBytes } from 'node:crypto';
import { connectRedis, type RedisConnection } from '../connection/connect-redis.js';
import { withReady } from '../connection/with-ready.js';
import { type RedisKeys, redisKeys } from '../keys.js';

/** The shared test Redis, with a key prefix for this test only. */
export class TestRedis {
  private constructor(
    readonly redis: RedisConnection,
    readonly prefix: string,
    readonly keys: RedisKeys,
  ) {}

  static get url(): string {
    const url = process.env.TEST_REDIS_URL;
    if (url === undefined) throw new Error('TEST_REDIS_URL is not set');
    return url;
  }

  static async open(): Promise<TestRedis> {
    const redis = connectRedis(TestRedis.url, 'commands', (error) => {
      throw error;
    });
    const prefix = `test-${randomBytes(8).toString('hex')}`;
    return new TestRedis(await withReady(redis), prefix, redisKeys(prefix));
  }

  names(): Promise<string[]> {
    return this.redis.keys(`${this.prefix}*`);
  }

  /** Every key with its value, for comparison. Hashes by field: Redis may reorder them. */
  async dump(): Promise<Record<string, unknown>> {
    const entries = (await this.names()).sort().map(async (name) => {
      if ((await this.redis.type(name)) === 'hash') return [name, await this.redis.hgetall(name)] as const;
      const value = await this.redis.dumpBuffer(name);
      return [name, value?.toString('base64')] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  /** Deletes every key of this test, as if Redis had lost its data. */
  async lose(): Promise<void> {
    const names = await this.names();
    await Promise.all(names.map((name) => this.redis.del(name)));
  }

  /** As if each shard had lost its epoch only: nothing is admitted until another one begins. */
  async loseEpochs(): Promise<void> {
    await Promise.all(this.keys.shards.map(({ epoch }) => this.redis.del(epoch)));
  }

  async close(): Promise<void> {
    await this.lose();
    this.redis.disconnect();
  }
}
