import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { connectRedis, type RedisConnection } from '../connection/connect-redis.js';
import { withReady } from '../connection/with-ready.js';
import { RedisServer } from '../test-support/redis-server.js';
import { sampleTicket } from '../test-support/samples.js';
import { SwallowingProxy } from '../test-support/swallowing-proxy.js';
import { openWorker } from './open-worker.js';
import { Slots } from './slots.js';
import { createSyncQueue, type SyncQueue } from './sync-queue.js';
import { createSyncWorker, type SyncWorker } from './sync-worker.js';

/** Longer than a connection may be silent (20 s), and than a worker that could fetch may be (30 s). */
const TROUBLE_MS = 45_000;
const LOOK_EVERY_MS = 100;

jest.setTimeout(3 * TROUBLE_MS);

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

interface Story {
  readonly server: RedisServer;
  readonly proxy: SwallowingProxy;
  /** Beside the proxy. */
  readonly redis: RedisConnection;
  readonly queue: SyncQueue;
}

async function begin(): Promise<Story> {
  const server = await RedisServer.start();
  const proxy = await SwallowingProxy.before(server.port);
  const redis = connectRedis(server.url, 'commands', () => undefined);
  const queue = await createSyncQueue(await withReady(redis), 'openai');
  cleanUps.push(
    () => server.stop(),
    () => proxy.close(),
    () => redis.disconnect(),
  );
  return { server, proxy, redis, queue };
}

function workerOf({ proxy }: Story, vendor: 'openai' | 'anthropic' = 'openai') {
  const heard = new EventEmitter();
  const handle = async () => {
    heard.emit('job');
    return undefined;
  };
  const worker = createSyncWorker({ url: proxy.url, vendor, concurrency: 1, handle, onError: () => undefined });
  cleanUps.push(() => worker.close(0));
  return { worker, nextJob: () => once(heard, 'job') };
}

/** What liveness said while the trouble lasted: the kubelet kills at the first few that are false. */
async function saidWithin(milliseconds: number, worker: Pick<SyncWorker, 'isAlive'>): Promise<Set<boolean>> {
  const said = new Set<boolean>();
  const untilMs = Date.now() + milliseconds;
  while (Date.now() < untilMs) {
    said.add(worker.isAlive());
    await sleep(LOOK_EVERY_MS);
  }
  return said;
}

/** Each begins a trouble, which is over by itself after `TROUBLE_MS` or when what it gives is called. */
const TROUBLES: Readonly<Record<string, (story: Story) => Promise<() => unknown>>> = {
  'is frozen': async ({ server }) => {
    server.suspend();
    return () => server.resume();
  },
  'answers nobody': async ({ redis }) => {
    await redis.client('PAUSE', TROUBLE_MS, 'ALL');
    return () => undefined;
  },
  'takes no writes, as before it hands over to another': async ({ redis }) => {
    await redis.client('PAUSE', TROUBLE_MS, 'WRITE');
    return () => undefined;
  },
  'throws its clients out again and again': async ({ redis }) => {
    const killing = setInterval(() => void redis.call('CLIENT', 'KILL', 'TYPE', 'normal'), 1_000);
    cleanUps.push(() => clearInterval(killing));
    return () => clearInterval(killing);
  },
  'is behind a path that has swallowed all connections': async ({ proxy }) => {
    proxy.swallow();
    return () => undefined;
  },
};

async function tellOfTrouble(name: string) {
  const story = await begin();
  const { worker, nextJob } = workerOf(story);
  const first = nextJob();
  await story.queue.enqueue(sampleTicket());
  await first;
  const end = await TROUBLES[name]?.(story);
  const said = await saidWithin(TROUBLE_MS, worker);
  await end?.();
  const next = nextJob();
  await withReady(story.redis);
  await story.queue.enqueue(sampleTicket());
  await next;
  return { said, saidAfter: worker.isAlive() };
}

/** A worker whose fetch never comes back, as with releases of the library that left workers dead after an outage. */
async function tellOfDeadWorker() {
  const story = await begin();
  const options = { url: story.server.url, name: 'sync-openai', concurrency: 1, maxStalledCount: 1 };
  const { worker, isAlive, close } = openWorker({ ...options, onError: () => undefined }, async () => undefined);
  const fetch = Promise.withResolvers<undefined>();
  Object.assign(worker, { moveToActive: () => fetch.promise });
  cleanUps.push(async () => {
    const closed = close(1_000, () => undefined);
    fetch.resolve(undefined);
    await closed;
  });
  const slots = new Slots(1);
  while (isAlive(slots)) await sleep(LOOK_EVERY_MS);
  // All else is well by then: Redis answers, the library says that it runs, and jobs of another queue come through.
  const canary = workerOf(story, 'anthropic');
  const came = canary.nextJob();
  await (await createSyncQueue(story.redis, 'anthropic')).enqueue(sampleTicket());
  await came;
  return { pong: await story.redis.ping(), isRunning: worker.isRunning(), isAlive: isAlive(slots) };
}

// All at once: most of it is waiting.
const troubles = new Map(Object.keys(TROUBLES).map((name) => [name, tellOfTrouble(name)]));
const dead = tellOfDeadWorker();

describe('the liveness of a worker', () => {
  it.each([...troubles])(
    'says yes while Redis %s, for a restart would not help, and it works afterwards',
    async (...story) => {
      const { said, saidAfter } = await story[1];
      expect([...said, saidAfter]).toEqual([true, true]);
    },
  );

  it('says no if a fetch does not come back, which a canary on a queue of its own would not notice', async () => {
    expect(await dead).toEqual({ pong: 'PONG', isRunning: true, isAlive: false });
  });
});
