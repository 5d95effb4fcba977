import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RedisServer } from '../test-support/redis-server.js';
import { connectRedisPair, type RedisPair } from './redis-pair.js';
import { withReady } from './with-ready.js';

describe('connectRedisPair', () => {
  let money: RedisServer;
  let pair: RedisPair;
  const failedStores = new Set<string>();

  beforeEach(async () => {
    failedStores.clear();
    money = await RedisServer.start();
  });

  afterEach(async () => {
    await pair.close(10);
    await money.stop();
  });

  const connect = (queueRedisUrl: string) =>
    connectRedisPair({ redisUrl: money.url, queueRedisUrl }, (_error, store) => failedStores.add(store));

  /** Whether each readiness check passes. */
  const checkAll = async () =>
    Object.fromEntries(
      await Promise.all(
        pair.checks.map(async ({ name, check }) => [
          name,
          await check().then(
            () => true,
            () => false,
          ),
        ]),
      ),
    );

  it('reports the memory and the eviction policy of each store', async () => {
    const queues = await RedisServer.start();
    try {
      pair = connect(queues.url);
      await pair.ready();
      await pair.money.config('SET', 'maxmemory', '1gb', 'maxmemory-policy', 'noeviction');
      await pair.queues.config('SET', 'maxmemory', '0', 'maxmemory-policy', 'allkeys-lru');
      const memory = Object.fromEntries(await pair.memory());
      expect(memory).toMatchObject({ redis: { mayEvict: false }, 'queue-redis': { mayEvict: true } });
      const [, usedBytes] = /^used_memory:(\d+)/m.exec(await pair.money.info('memory')) ?? [];
      expect(memory.redis?.usedShare).toBeCloseTo(Number(usedBytes) / 2 ** 30, 3);
      // Without maxmemory: a share of the machine's memory.
      expect(memory['queue-redis']?.usedShare).toBeGreaterThan(0);
      expect(memory['queue-redis']?.usedShare).toBeLessThan(0.1);
    } finally {
      await queues.stop();
    }
  });

  it('fails a check while Redis replies but refuses writes', async () => {
    const queues = await RedisServer.start();
    try {
      pair = connect(queues.url);
      await pair.ready();
      await pair.queues.config('SET', 'min-replicas-to-write', '1');
      expect(await checkAll()).toEqual({ redis: true, 'queue-redis': false });
      await pair.money.config('SET', 'maxmemory', '1', 'maxmemory-policy', 'noeviction');
      expect(await checkAll()).toEqual({ redis: false, 'queue-redis': false });
      await pair.money.config('SET', 'maxmemory', '0');
      await pair.queues.config('SET', 'min-replicas-to-write', '0');
      expect(await checkAll()).toEqual({ redis: true, 'queue-redis': true });
    } finally {
      await queues.stop();
    }
  });

  it('uses one connection and one check for equal addresses', async () => {
    pair = connect(money.url);
    await pair.ready();
    expect(pair.queues).toBe(pair.money);
    expect(await checkAll()).toEqual({ redis: true });
  });

  it('waits for both stores, checks both, and names the store of an error', async () => {
    const queues = await RedisServer.start();
    await queues.kill();
    pair = connect(queues.url);
    let isReady = false;
    const ready = pair.ready().then(() => {
      isReady = true;
    });
    await Promise.all([withReady(pair.money), new Promise((resolve) => pair.queues.once('error', resolve))]);
    expect(isReady).toBe(false);
    await queues.start();
    await ready;
    expect(await checkAll()).toEqual({ redis: true, 'queue-redis': true });
    const lost = new Promise((resolve) => pair.queues.once('close', resolve));
    await queues.stop();
    await lost;
    expect(await checkAll()).toEqual({ redis: true, 'queue-redis': false });
    expect([...failedStores]).toEqual(['queue-redis']);
  });
});
