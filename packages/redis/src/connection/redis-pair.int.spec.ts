import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RedisServer } from '../test-support/redis-server.js';
import { connectRedisPair, type RedisPair } from './redis-pair.js';

// A limit for a hang, not a measure: starting and killing servers takes what it takes.
jest.setTimeout(60_000);

describe('the two Redis of a service', () => {
  let money: RedisServer;
  let pair: RedisPair;
  const heard = new Set<string>();

  beforeEach(async () => {
    heard.clear();
    money = await RedisServer.start();
  });

  afterEach(async () => {
    await pair.close(10);
    await money.stop();
  });

  const connect = (queueRedisUrl: string) =>
    connectRedisPair({ redisUrl: money.url, queueRedisUrl }, (_error, store) => heard.add(store));

  /** Of each Redis that is asked for, whether it answered. */
  const answers = async () =>
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

  it('say how full each is, and whether it would rather forget than refuse', async () => {
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
      // Without a limit of its own: of the machine.
      expect(memory['queue-redis']?.usedShare).toBeGreaterThan(0);
      expect(memory['queue-redis']?.usedShare).toBeLessThan(0.1);
    } finally {
      await queues.stop();
    }
  });

  it('are one connection, and one thing to be ready, where the addresses are the same', async () => {
    pair = connect(money.url);
    await pair.ready();
    expect(pair.queues).toBe(pair.money);
    expect(await answers()).toEqual({ redis: true });
  });

  it('are waited for both, asked both, and told apart by their errors', async () => {
    const queues = await RedisServer.start();
    await queues.kill();
    pair = connect(queues.url);
    const stop = new AbortController();
    const ready = pair.ready(stop.signal);
    await new Promise<void>((resolve) => pair.queues.once('error', () => resolve()));
    stop.abort(new Error('it is not there'));
    await expect(ready).rejects.toThrow('it is not there');
    await queues.start();
    await pair.ready();
    expect(await answers()).toEqual({ redis: true, 'queue-redis': true });
    const lost = new Promise((resolve) => pair.queues.once('close', resolve));
    await queues.stop();
    await lost;
    expect(await answers()).toEqual({ redis: true, 'queue-redis': false });
    expect([...heard]).toEqual(['queue-redis']);
  });
});
