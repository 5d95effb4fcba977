import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { connectRedis, type RedisConnection } from '../connection/connect-redis.js';
import { withReady } from '../connection/with-ready.js';
import { BlackholeProxy } from '../test-support/blackhole-proxy.js';
import { RedisServer } from '../test-support/redis-server.js';
import { sampleTicket } from '../test-support/samples.js';
import { FairSlots } from './fair-slots.js';
import { openWorker } from './open-worker.js';
import { Slots } from './slots.js';
import { createTicketQueue, type SyncQueue } from './sync-queue.js';
import { createTicketWorker, type SyncWorker } from './sync-worker.js';

/** Longer than the socket time-out (20 s) and the allowed silence of a worker (30 s). */
const OUTAGE_MS = 45_000;
const CHECK_INTERVAL_MS = 100;

jest.setTimeout(3 * OUTAGE_MS);

const cleanUps: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

interface Setup {
  readonly server: RedisServer;
  readonly proxy: BlackholeProxy;
  /** Connects without the proxy. */
  readonly redis: RedisConnection;
  readonly queue: SyncQueue;
}

async function startSetup(): Promise<Setup> {
  const server = await RedisServer.start();
  const proxy = await BlackholeProxy.before(server.port);
  const redis = connectRedis(server.url, 'commands', () => undefined);
  const queue = await createTicketQueue(await withReady(redis), 'sync', 'openai');
  cleanUps.push(
    () => server.stop(),
    () => proxy.close(),
    () => redis.disconnect(),
  );
  return { server, proxy, redis, queue };
}

function workerOf({ proxy }: Setup, vendor: 'openai' | 'anthropic' = 'openai') {
  const events = new EventEmitter();
  const handle = async () => {
    events.emit('job');
    return undefined;
  };
  const worker = createTicketWorker({
    url: proxy.url,
    kind: 'sync',
    vendor,
    slots: new FairSlots(1),
    handle,
    onError: () => undefined,
  });
  cleanUps.push(() => worker.close(0));
  return { worker, nextJob: () => once(events, 'job') };
}

/** The liveness results during an outage: the kubelet kills after a few false ones. */
async function livenessDuring(milliseconds: number, worker: Pick<SyncWorker, 'isAlive'>): Promise<Set<boolean>> {
  const results = new Set<boolean>();
  const untilMs = Date.now() + milliseconds;
  while (Date.now() < untilMs) {
    results.add(worker.isAlive());
    await sleep(CHECK_INTERVAL_MS);
  }
  return results;
}

/** Each starts an outage, which ends after `OUTAGE_MS` or when the returned function is called. */
const OUTAGES: Readonly<Record<string, (setup: Setup) => Promise<() => unknown>>> = {
  'is frozen': async ({ server }) => {
    server.suspend();
    return () => server.resume();
  },
  'does not reply': async ({ redis }) => {
    await redis.client('PAUSE', OUTAGE_MS, 'ALL');
    return () => undefined;
  },
  'accepts no writes, as before a failover': async ({ redis }) => {
    await redis.client('PAUSE', OUTAGE_MS, 'WRITE');
    return () => undefined;
  },
  'refuses writes because its disk is full': async ({ server, redis }) => {
    await server.failToSave(redis);
    return () => redis.config('SET', 'stop-writes-on-bgsave-error', 'no');
  },
  'disconnects its clients repeatedly': async ({ redis }) => {
    const killing = setInterval(() => void redis.call('CLIENT', 'KILL', 'TYPE', 'normal'), 1_000);
    cleanUps.push(() => clearInterval(killing));
    return () => clearInterval(killing);
  },
  'is behind a path that drops all packets': async ({ proxy }) => {
    proxy.blackhole();
    return () => undefined;
  },
};

async function runOutage(name: string) {
  const setup = await startSetup();
  const { worker, nextJob } = workerOf(setup);
  const first = nextJob();
  await setup.queue.enqueue(sampleTicket());
  await first;
  const end = await OUTAGES[name]?.(setup);
  const results = await livenessDuring(OUTAGE_MS, worker);
  await end?.();
  const next = nextJob();
  await withReady(setup.redis);
  await setup.queue.enqueue(sampleTicket());
  await next;
  return { results, isAliveAfter: worker.isAlive() };
}

/** A worker whose fetch never resolves, as in BullMQ releases that left workers dead after an outage. */
async function runDeadWorker() {
  const setup = await startSetup();
  const fetching = { maxJobs: () => 1, letsOthersFirst: () => false };
  const options = { url: setup.server.url, name: 'sync-openai', fetching, maxStalledCount: 1 };
  const { worker, isAlive, close } = openWorker({ ...options, onError: () => undefined }, async () => undefined);
  const fetch = Promise.withResolvers<undefined>();
  Object.assign(worker, { moveToActive: () => fetch.promise });
  cleanUps.push(async () => {
    const closed = close(1_000, () => undefined);
    fetch.resolve(undefined);
    await closed;
  });
  const slots = new Slots(1);
  while (isAlive(slots)) await sleep(CHECK_INTERVAL_MS);
  // Everything else works: Redis replies, BullMQ reports a running worker, and another queue delivers jobs.
  const canary = workerOf(setup, 'anthropic');
  const delivered = canary.nextJob();
  await (await createTicketQueue(setup.redis, 'sync', 'anthropic')).enqueue(sampleTicket());
  await delivered;
  return { pong: await setup.redis.ping(), isRunning: worker.isRunning(), isAlive: isAlive(slots) };
}

// Concurrently: they mostly wait.
const outages = new Map(Object.keys(OUTAGES).map((name) => [name, runOutage(name)]));
const deadWorker = runDeadWorker();

describe('the liveness of a worker', () => {
  it.each([...outages])('is true while Redis %s, and the worker recovers', async (...setup) => {
    const { results, isAliveAfter } = await setup[1];
    expect([...results, isAliveAfter]).toEqual([true, true]);
  });

  it('is false if a fetch never resolves, although another queue works', async () => {
    expect(await deadWorker).toEqual({ pong: 'PONG', isRunning: true, isAlive: false });
  });
});

it('a worker lives on when its clock is set an hour forward', async () => {
  const setup = await startSetup();
  const { worker, nextJob } = workerOf(setup);
  const first = nextJob();
  await setup.queue.enqueue(sampleTicket());
  await first;
  const nowMs = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(nowMs + 3_600_000);
  expect(worker.isAlive()).toBe(true);
  jest.restoreAllMocks();
});
