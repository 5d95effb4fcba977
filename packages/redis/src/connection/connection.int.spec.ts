import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AdmissionStore } from '../admission/admission-store.js';
import { BlackholeProxy } from '../test-support/blackhole-proxy.js';
import { RedisServer } from '../test-support/redis-server.js';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { closeRedis } from './close-redis.js';
import { connectRedis, type RedisConnection } from './connect-redis.js';
import { connectSubscriber } from './connect-subscriber.js';
import { withReady } from './with-ready.js';

describe('connectRedis', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  let errors: Error[];

  beforeEach(async () => {
    errors = [];
    server = await RedisServer.start();
    redis = connectRedis(server.url, 'commands', (error) => errors.push(error));
  });

  afterEach(async () => {
    redis.disconnect();
    await server.stop();
  });

  const lost = () => new Promise<void>((resolve) => redis.once('close', resolve));

  async function killed(): Promise<void> {
    const closed = lost();
    await server.kill();
    await closed;
  }

  it('withReady waits until Redis is back, despite failed connects', async () => {
    await withReady(redis);
    await killed();
    const refused = new Promise((resolve) => redis.once('error', resolve));
    const ready = withReady(redis);
    await refused;
    await server.start();
    expect(await (await ready).ping()).toBe('PONG');
    expect(errors).not.toEqual([]);
    expect(redis.listenerCount('end')).toBe(0);
  });

  it('withReady rejects after close', async () => {
    await withReady(redis);
    await closeRedis(redis);
    await new Promise<void>((resolve) => (redis.status === 'end' ? resolve() : redis.once('end', resolve)));
    await expect(withReady(redis)).rejects.toThrow('closed');
  });

  it('rejects a command at once while Redis is away, and still closes', async () => {
    await withReady(redis);
    await killed();
    await expect(redis.ping()).rejects.toThrow();
    await closeRedis(redis, 10);
  });

  it('sends a forgotten script again, also for concurrent calls', async () => {
    const store = new AdmissionStore(await withReady(redis));
    await store.beginEpoch('e1');
    const admit = () => store.admit(sampleRequest({ holdNanoUsd: 0n }));
    await admit();
    await redis.script('FLUSH');
    const outcomes = await Promise.all([admit(), admit(), admit()]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['admitted', 'admitted', 'admitted']);
  });

  it('admits nothing while Redis is full, but settles, renews and acknowledges', async () => {
    const store = new AdmissionStore(await withReady(redis));
    await store.beginEpoch('e1');
    const request = sampleRequest({ holdNanoUsd: 0n, concurrency: 1 });
    await store.admit(request);
    await redis.config('SET', 'maxmemory', '1');
    await expect(store.admit(sampleRequest({ holdNanoUsd: 0n }))).rejects.toThrow('OOM');
    expect(await store.renew([request], 60_000, 60_000)).toEqual([]);
    expect(await store.settle(sampleSettlement(request, 3n))).toMatchObject({ applied: true, holdFound: true });
    expect(
      await store.acknowledge([{ streamId: '1-1', accountId: request.accountId, costNanoUsd: 3n, isDuplicate: false }]),
    ).toBe(0);
  });

  it('loses no money when Redis is killed', async () => {
    const store = new AdmissionStore(await withReady(redis));
    await store.beginEpoch('e1');
    const request = sampleRequest({ holdNanoUsd: 4n });
    const { accountId } = request;
    await store.grant({
      accountId,
      sequence: 1n,
      epoch: 'e1',
      amountNanoUsd: 9n,
      reserveNanoUsd: 0n,
      reserveVersion: 1n,
    });
    await store.admit(request);
    await killed();
    await server.start();
    await withReady(redis);
    expect(await store.currentEpoch(accountId)).toBe('e1');
    expect(await store.admit(request)).toMatchObject({ outcome: 'admitted' });
    expect(await store.settle(sampleSettlement(request, 1n))).toMatchObject({ applied: true, balanceNanoUsd: 8n });
  });
});

describe('connectSubscriber', () => {
  it('connects again when its network path is broken, although no one sends anything', async () => {
    const server = await RedisServer.start();
    const proxy = await BlackholeProxy.before(server.port);
    const publisher = connectRedis(server.url, 'commands', () => undefined);
    const subscriber = connectSubscriber(proxy.url, () => undefined, 1_000);
    try {
      await Promise.all([withReady(publisher), subscriber.subscribe('news')]);
      const isBack = new Promise<void>((resolve) => void subscriber.once('ready', () => resolve()));
      proxy.blackhole();
      await isBack;
      let received: string | undefined;
      subscriber.once('message', (_channel, text) => {
        received = text;
      });
      // It subscribes again by itself.
      for (; received === undefined; await sleep(20)) await publisher.publish('news', 'late');
      expect(received).toBe('late');
    } finally {
      subscriber.disconnect();
      publisher.disconnect();
      proxy.close();
      await server.stop();
    }
  });

  it('keeps no process that closes it before it reconnects', () => {
    const begun = jest.spyOn(globalThis, 'setInterval');
    connectSubscriber('redis://127.0.0.1:1', () => undefined).disconnect();
    const pings = begun.mock.results.map(({ value }) => value as NodeJS.Timeout);
    begun.mockRestore();
    expect(pings.map((timer) => timer.hasRef())).toEqual([false]);
    for (const timer of pings) clearInterval(timer);
  });
});
