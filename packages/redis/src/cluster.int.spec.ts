import { EventEmitter, once } from 'node:events';
import { type AccountId, hashApiKey, newApiKey, newRequestId, syncQueueName, type TaskId } from '@gateway/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type LocalRedisCluster, startRedisCluster } from '../../../infra/local/redis-cluster.mjs';
import { AdmissionStore } from './admission/admission-store.js';
import { closeRedis } from './connection/close-redis.js';
import { connectRedis, type RedisConnection } from './connection/connect-redis.js';
import { readMemory } from './connection/read-memory.js';
import { wasNeverSent } from './connection/was-never-sent.js';
import { withReady } from './connection/with-ready.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { KeyCache } from './key-cache/key-cache.js';
import { subscribeInvalidations } from './key-cache/subscribe-invalidations.js';
import { redisKeys } from './keys.js';
import { createPollQueue } from './queues/poll-queue.js';
import { createSyncQueue, type SyncQueue } from './queues/sync-queue.js';
import { createSyncWorker, type SyncWorker } from './queues/sync-worker.js';
import { PollRateLimiter } from './tasks/poll-rate-limiter.js';
import { sampleRequest, sampleSettlement, sampleTicket } from './test-support/samples.js';
import { UsageStream } from './usage/usage-stream.js';

// A limit for a hang, not a measure: nodes are killed, and given up after a second.
jest.setTimeout(120_000);

const VENDORS = ['openai', 'anthropic', 'dashscope', 'gemini'] as const;
const keys = redisKeys();

let cluster: LocalRedisCluster;
let redis: RedisConnection;

beforeAll(async () => {
  cluster = await startRedisCluster({ replicas: 1 });
  redis = await withReady(connectRedis(cluster.url, 'commands', () => undefined));
});

afterAll(async () => {
  await closeRedis(redis);
  await cluster.stop();
});

/** Tries until it works: a cluster that has lost a node says no for a while. */
async function eventually<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (const untilMs = Date.now() + 60_000; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > untilMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const firstGrant = (accountId: AccountId, epoch: string, amountNanoUsd: bigint) => ({
  accountId,
  sequence: 1n,
  epoch,
  amountNanoUsd,
  reserveVersion: 1n,
  reserveNanoUsd: 0n,
});

/** An outage in which workers give up waiting for a job and connect anew: they must find back from there too. */
const longerThanAWait = () => new Promise((resolve) => setTimeout(resolve, 10_000));

/** A queue of each vendor with its worker, and what the workers have been given. */
class Queues {
  readonly handled = new EventEmitter();
  readonly queues: readonly SyncQueue[];
  readonly workers: readonly SyncWorker[];

  private constructor(queues: readonly SyncQueue[]) {
    this.queues = queues;
    this.workers = VENDORS.map((vendor) =>
      createSyncWorker({
        url: cluster.url,
        vendor,
        concurrency: 2,
        handle: async ({ requestId }) => void this.handled.emit(requestId),
        // A node that is killed is part of the story.
        onError: () => undefined,
      }),
    );
  }

  static async open(): Promise<Queues> {
    return new Queues(await Promise.all(VENDORS.map((vendor) => createSyncQueue(redis, vendor))));
  }

  /** One ticket through each of them. */
  async pass(): Promise<void> {
    const passed = this.queues.map(async (queue) => {
      const ticket = sampleTicket({ requestId: newRequestId() });
      const handled = once(this.handled, ticket.requestId);
      await eventually(() => queue.enqueue(ticket));
      await handled;
    });
    await Promise.all(passed);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close(1_000)));
    await Promise.all(this.queues.map((queue) => queue.close()));
  }
}

describe('on a cluster of several nodes', () => {
  it('the money is at one of them, and the queues are spread', async () => {
    const names = VENDORS.map((vendor) => syncQueueName(vendor));
    const owners = await Promise.all(names.map((name) => cluster.ownerOf(`${keys.queuePrefix(name)}:${name}:wait`)));
    expect(new Set(owners).size).toBeGreaterThan(1);
    expect(await cluster.ownerOf(keys.epoch)).toBe(cluster.masters[2]);
  });

  it('is as full as its fullest node, each of which is asked', async () => {
    const { usedShare, mayEvict } = await readMemory(redis);
    expect([usedShare > 0 && usedShare < 1, mayEvict]).toEqual([true, false]);
  });

  it('admits, renews, settles and books, also what cannot be read', async () => {
    const store = new AdmissionStore(redis);
    const request = sampleRequest({ requestsPerMinute: 60, concurrency: 5 });
    const { accountId, keyId, requestId } = request;
    await store.beginEpoch('1');
    expect(await store.grant(firstGrant(accountId, '1', 50n))).toBe('applied');
    expect(await store.admit(request)).toMatchObject({ outcome: 'admitted' });
    expect(await store.renew([{ requestId, accountId, keyId }], Date.now() + 60_000, Date.now() + 60_000)).toEqual([]);
    const blocking = await withReady(connectRedis(cluster.url, 'blocking', () => undefined));
    const dead: string[] = [];
    const usage = new UsageStream(blocking, { onDead: ({ text }) => dead.push(text) });
    expect(await usage.read({ consumer: 'c', count: 1, blockMs: 1 })).toEqual([]);
    const read = usage.read({ consumer: 'c', count: 1, blockMs: 10_000 });
    await store.settle(sampleSettlement(request, 5n));
    const [entry] = await read;
    expect(entry?.event.requestId).toBe(requestId);
    const booked = { streamId: entry?.streamId ?? '', accountId, costNanoUsd: 5n, isDuplicate: false };
    expect(await store.acknowledge([booked])).toBe(1);
    await redis.xadd(keys.usage, '*', 'event', 'nonsense');
    expect(await usage.read({ consumer: 'c', count: 1, blockMs: 10_000 })).toEqual([]);
    expect([dead, await usage.deadLength(), await usage.length()]).toEqual([['["event","nonsense"]'], 1, 0]);
    expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 45n, heldNanoUsd: 0n });
    await closeRedis(blocking);
  });

  it('answers once, keeps keys, sets alarms and gives channels their turns', async () => {
    const once = new IdempotencyStore(redis);
    const { requestId, accountId } = sampleRequest();
    const turn = { requestId, accountId, isTest: false, keySha256: 'a'.repeat(64), fingerprint: 'f' };
    expect(await once.claim(turn)).toEqual({ outcome: 'began' });
    expect(await new KeyCache(redis).get(hashApiKey(newApiKey()))).toBeUndefined();
    const alarms = await createPollQueue(redis, 'ark');
    await alarms.schedule(['a', 'b'].map((task) => ({ taskId: task as TaskId, number: 1, delayMs: 60_000 })));
    expect(await alarms.counts()).toEqual({ delayed: 2, due: 0 });
    await alarms.close();
    expect(await new PollRateLimiter(redis).reserve('ark-1', 10, 1_000)).toMatchObject({ isBooked: true });
  });

  it('sends a script again that a node has forgotten', async () => {
    const store = new AdmissionStore(redis);
    const admit = () => store.admit(sampleRequest({ holdNanoUsd: 0n }));
    await admit();
    await Promise.all(cluster.nodes.map((node) => node.command('SCRIPT FLUSH')));
    const outcomes = await Promise.all([admit(), admit(), admit()]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['admitted', 'admitted', 'admitted']);
  });
});

describe('while the cluster changes', () => {
  let queues: Queues;

  beforeAll(async () => {
    queues = await Queues.open();
  });

  afterAll(() => queues.close());

  it('follows a queue to another node, with the worker that waits there', async () => {
    await queues.pass();
    const name = syncQueueName('openai');
    const sample = `${keys.queuePrefix(name)}:${name}:wait`;
    const from = await cluster.ownerOf(sample);
    const to = cluster.masters.find((node) => node !== from) as typeof from;
    await moveSlotOf(sample, from, to);
    expect(await cluster.ownerOf(sample)).toBe(to);
    await queues.pass();
  });

  it('goes on when a replica takes the place of the money, at once for what runs and once for each request', async () => {
    const store = new AdmissionStore(redis);
    const outcomes: string[] = [];
    const [replica] = cluster.replicas;
    let isOver = false;
    const asking = (async () => {
      while (!isOver) outcomes.push((await eventually(() => store.admit(sampleRequest({ holdNanoUsd: 0n })))).outcome);
    })();
    expect(await replica?.command('CLUSTER FAILOVER')).toBe('+OK');
    await eventually(async () => expect(await cluster.ownerOf(keys.epoch)).toBe(replica));
    const before = outcomes.length;
    await eventually(async () => expect(outcomes.length).toBeGreaterThan(before + 10));
    isOver = true;
    await asking;
    expect(new Set(outcomes)).toEqual(new Set(['admitted']));
    expect(await store.countOpenHolds()).toBe(Number((await cluster.command(`ZCARD ${keys.openHolds}`)).slice(1)));
  });

  it('goes on when the node of the money is killed and given up, and nothing is lost', async () => {
    const store = new AdmissionStore(redis);
    const request = sampleRequest({ holdNanoUsd: 7n });
    const { accountId } = request;
    const epoch = String(await store.currentEpoch());
    await store.grant(firstGrant(accountId, epoch, 9n));
    await store.admit(request);
    const owner = await cluster.ownerOf(keys.epoch);
    // What the replica has taken over by then is what counts.
    await owner.command('WAIT 1 5000');
    await owner.kill();
    await expect(store.admit(sampleRequest({ holdNanoUsd: 0n }))).rejects.toThrow();
    const settled = await eventually(() => store.settle(sampleSettlement(request, 2n)));
    expect(settled).toMatchObject({ applied: true, holdFound: true, balanceNanoUsd: 7n });
    await owner.start();
    await cluster.untilServed();
    await queues.pass();
  });

  it('says no at once while a node is away that nobody replaces, and serves again when it is back', async () => {
    const name = syncQueueName('openai');
    const owner = await cluster.ownerOf(`${keys.queuePrefix(name)}:${name}:wait`);
    await owner.kill();
    const startedMs = Date.now();
    await expect(queues.queues[0]?.enqueue(sampleTicket({ requestId: newRequestId() }))).rejects.toThrow();
    // A node that is just being connected is waited for, three seconds at most.
    expect(Date.now() - startedMs).toBeLessThan(6_000);
    await longerThanAWait();
    await owner.start();
    await cluster.untilServed();
    await queues.pass();
    expect(queues.workers.map((worker) => worker.isAlive())).toEqual(VENDORS.map(() => true));
  });

  it('comes back after all of it was away, and a command of that time was never sent', async () => {
    const left = new Promise((resolve) => redis.once('close', resolve));
    await Promise.all(cluster.nodes.map((node) => node.kill()));
    await eventually(async () => {
      await redis.ping().catch(() => undefined);
      if (redis.status === 'ready') throw new Error('it has not noticed yet');
    });
    await left;
    const refused: unknown = await redis.ping().catch((error: unknown) => error);
    expect(wasNeverSent(refused)).toBe(true);
    await longerThanAWait();
    await Promise.all(cluster.nodes.map((node) => node.start()));
    await cluster.untilServed();
    await queues.pass();
  });
});

describe('what is published in a cluster', () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  it('is heard from any node, and all is dropped when the one that is listened to goes', async () => {
    const heard = new EventEmitter();
    const subscription = subscribeInvalidations({
      url: cluster.url,
      onInvalidated: (changed) => heard.emit('keys', changed),
      onError: () => undefined,
    });
    close = () => subscription.close();
    await subscription.ready;
    const keySha256 = hashApiKey(newApiKey());
    const cache = new KeyCache(redis);
    const first = once(heard, 'keys');
    await cache.invalidate([keySha256]);
    expect(await first).toEqual([[keySha256]]);
    const [listenedTo] = cluster.masters;
    const dropped = once(heard, 'keys');
    await listenedTo?.kill();
    expect(await dropped).toEqual(['all']);
    await listenedTo?.start();
    await cluster.untilServed();
    const second = once(heard, 'keys');
    await eventually(() => cache.invalidate([keySha256]));
    expect(await second).toEqual([[keySha256]]);
  });
});

/** As `redis-cli --cluster reshard` does it. */
async function moveSlotOf(key: string, from: { readonly url: string }, to: { readonly url: string }): Promise<void> {
  const [source, target] = await Promise.all(
    [from, to].map((node) => withReady(connectRedis(node.url, 'commands', () => undefined))),
  );
  if (source === undefined || target === undefined) throw new Error('two nodes are needed');
  const slot = Number(await source.cluster('KEYSLOT', key));
  const [sourceId, targetId] = [String(await source.cluster('MYID')), String(await target.cluster('MYID'))];
  await target.cluster('SETSLOT', slot, 'IMPORTING', sourceId);
  await source.cluster('SETSLOT', slot, 'MIGRATING', targetId);
  const moved = (await source.cluster('GETKEYSINSLOT', slot, 1_000)) as string[];
  const { hostname, port } = new URL(to.url);
  await source.call('MIGRATE', hostname, port, '', '0', '5000', 'KEYS', ...moved);
  for (const node of [target, source]) await node.cluster('SETSLOT', slot, 'NODE', targetId);
  source.disconnect();
  target.disconnect();
}
