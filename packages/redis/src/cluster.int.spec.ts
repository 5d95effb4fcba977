import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AccountId,
  hashApiKey,
  newAccountId,
  newApiKey,
  newRequestId,
  SHARD_COUNT,
  SHARDS,
  shardOf,
  type TaskId,
  ticketQueueName,
} from '@gateway/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
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
import { type MoneyKeys, redisKeys } from './keys.js';
import { FairSlots } from './queues/fair-slots.js';
import { createPollQueue } from './queues/poll-queue.js';
import { createTicketQueue, type SyncQueue } from './queues/sync-queue.js';
import { createTicketWorker, type SyncWorker } from './queues/sync-worker.js';
import { totalOf } from './shards/total-of.js';
import { PollRateLimiter } from './tasks/poll-rate-limiter.js';
import { sampleRequest, sampleSettlement, sampleTicket } from './test-support/samples.js';
import { UsageStream } from './usage/usage-stream.js';

const VENDORS = ['openai', 'anthropic', 'dashscope', 'gemini'] as const;
const keys = redisKeys();
/** The last shards are on the third node, which has a replica. */
const MONEY = keys.shards[SHARD_COUNT - 1] as MoneyKeys;

/** An account whose money is in this shard. */
function accountIn(shard: number): AccountId {
  for (;;) {
    const accountId = newAccountId();
    if (shardOf(accountId) === shard) return accountId;
  }
}

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

/** Retries for up to a minute: a cluster that lost a node rejects commands for a while. */
async function eventually<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (const untilMs = Date.now() + 60_000; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > untilMs) throw error;
      await sleep(50);
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

/** An outage that outlasts a blocking fetch: workers reconnect and must recover. */
const outlastFetch = () => sleep(10_000);

/** One queue per vendor with its worker, and an event per handled request. */
class Queues {
  readonly handled = new EventEmitter();
  readonly queues: readonly SyncQueue[];
  readonly workers: readonly SyncWorker[];

  private constructor(queues: readonly SyncQueue[]) {
    this.queues = queues;
    this.workers = VENDORS.map((vendor) =>
      createTicketWorker({
        url: cluster.url,
        vendor,
        kind: 'sync',
        slots: new FairSlots(2),
        handle: async ({ requestId }) => void this.handled.emit(requestId),
        // The tests kill nodes.
        onError: () => undefined,
      }),
    );
  }

  static async open(): Promise<Queues> {
    return new Queues(await Promise.all(VENDORS.map((vendor) => createTicketQueue(redis, 'sync', vendor))));
  }

  /** Sends one ticket through each queue. */
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

describe('a cluster of several nodes', () => {
  it('has a third of the money on each node, and spreads the queues', async () => {
    const names = VENDORS.map((vendor) => ticketQueueName('sync', vendor));
    const owners = await Promise.all(names.map((name) => cluster.ownerOf(`${keys.queuePrefix(name)}:${name}:wait`)));
    expect(new Set(owners).size).toBeGreaterThan(1);
    const ofShards = await Promise.all(keys.shards.map(({ epoch }) => cluster.ownerOf(epoch)));
    expect(cluster.masters.map((node) => ofShards.filter((owner) => owner === node).length)).toEqual([21, 21, 22]);
  });

  it('reports the memory of its fullest node', async () => {
    const { usedShare, mayEvict } = await readMemory(redis);
    expect([usedShare > 0 && usedShare < 1, mayEvict]).toEqual([true, false]);
  });

  it('admits, renews, settles and acknowledges, and rejects a malformed event', async () => {
    const store = new AdmissionStore(redis);
    const request = sampleRequest({ requestsPerMinute: 60, concurrency: 5 });
    const { accountId, keyId, requestId } = request;
    await store.beginEpoch('1');
    expect(await store.grant(firstGrant(accountId, '1', 50n))).toBe('applied');
    expect(await store.admit(request)).toMatchObject({ outcome: 'admitted' });
    expect(await store.renew([{ requestId, accountId, keyId }], 60_000, 60_000)).toEqual([]);
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
    await redis.xadd(MONEY.usage, '*', 'event', 'nonsense');
    expect(await usage.read({ consumer: 'c', count: 1, blockMs: 10_000 })).toEqual([]);
    expect(dead).toEqual(['["event","nonsense"]']);
    expect(totalOf(await store.readShards(0))).toMatchObject({ deadEvents: 1, unbookedEvents: 0 });
    expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 45n, heldNanoUsd: 0n });
    await closeRedis(blocking);
  });

  it('claims idempotency keys, caches API keys, schedules polls and limits them', async () => {
    const idempotency = new IdempotencyStore(redis);
    const { requestId, accountId } = sampleRequest();
    const work = { endpoint: 'chat.completions', model: 'gm-2.5-pro' } as const;
    const claim = { requestId, accountId, isTest: false, keySha256: 'a'.repeat(64), fingerprint: 'f', work };
    expect(await idempotency.claim(claim)).toEqual({ outcome: 'began' });
    expect(await new KeyCache(redis).get(hashApiKey(newApiKey()))).toBeUndefined();
    const polls = await createPollQueue(redis, 'ark');
    await polls.schedule(['a', 'b'].map((task) => ({ taskId: task as TaskId, number: 1, delayMs: 60_000 })));
    expect(await polls.counts()).toEqual({ delayed: 2, due: 0 });
    await polls.close();
    expect(await new PollRateLimiter(redis).reserve('ark-1', 10, 1_000)).toMatchObject({ isReserved: true });
  });

  it('sends a script again that a node forgot', async () => {
    const store = new AdmissionStore(redis);
    const admit = () => store.admit(sampleRequest({ holdNanoUsd: 0n }));
    await admit();
    await Promise.all(cluster.nodes.map((node) => node.command('SCRIPT FLUSH')));
    const outcomes = await Promise.all([admit(), admit(), admit()]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['admitted', 'admitted', 'admitted']);
  });

  it('gets two commands for a request, whatever its shard', async () => {
    const store = new AdmissionStore(redis);
    await store.beginEpoch('1');
    const scripts = async () => {
      const stats = await Promise.all(cluster.masters.map((node) => node.command('INFO commandstats')));
      return stats.reduce((sum, text) => sum + Number(/cmdstat_evalsha:calls=(\d+)/.exec(text)?.[1] ?? 0), 0);
    };
    const requests = Array.from({ length: 100 }, () => sampleRequest({ holdNanoUsd: 0n }));
    // Each node learns the scripts first.
    for (const shard of [0, 30, 63]) {
      const first = sampleRequest({ holdNanoUsd: 0n, accountId: accountIn(shard) });
      await store.admit(first);
      await store.settle(sampleSettlement(first, 0n));
    }
    const before = await scripts();
    await Promise.all(requests.map((request) => store.admit(request)));
    await Promise.all(requests.map((request) => store.settle(sampleSettlement(request, 0n))));
    expect((await scripts()) - before).toBe(2 * requests.length);
  });
});

describe('during changes of the cluster', () => {
  let queues: Queues;

  beforeAll(async () => {
    queues = await Queues.open();
  });

  afterAll(() => queues.close());

  it('follows a queue to another node, with its waiting worker', async () => {
    await queues.pass();
    const name = ticketQueueName('sync', 'openai');
    const sample = `${keys.queuePrefix(name)}:${name}:wait`;
    const from = await cluster.ownerOf(sample);
    const to = cluster.masters.find((node) => node !== from) as typeof from;
    await moveSlotOf(sample, from, to);
    expect(await cluster.ownerOf(sample)).toBe(to);
    await queues.pass();
  });

  it('admits each request once during a failover of the money’s node', async () => {
    const store = new AdmissionStore(redis);
    const outcomes: string[] = [];
    const [replica] = cluster.replicas;
    let isOver = false;
    const admitting = (async () => {
      while (!isOver) outcomes.push((await eventually(() => store.admit(sampleRequest({ holdNanoUsd: 0n })))).outcome);
    })();
    expect(await replica?.command('CLUSTER FAILOVER')).toBe('+OK');
    await eventually(async () => expect(await cluster.ownerOf(MONEY.epoch)).toBe(replica));
    const before = outcomes.length;
    await eventually(async () => expect(outcomes.length).toBeGreaterThan(before + 10));
    isOver = true;
    await admitting;
    expect(new Set(outcomes)).toEqual(new Set(['admitted']));
    const counts = keys.shards.map(async ({ openHolds }) =>
      Number((await cluster.command(`ZCARD ${openHolds}`)).slice(1)),
    );
    const counted = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    expect(totalOf(await store.readShards(0)).openHolds).toBe(counted);
  });

  it('loses no money when its node is killed and replaced', async () => {
    const store = new AdmissionStore(redis);
    const request = sampleRequest({ holdNanoUsd: 7n, accountId: accountIn(MONEY.shard) });
    const { accountId } = request;
    const epoch = String(await store.currentEpoch(accountId));
    await store.grant(firstGrant(accountId, epoch, 9n));
    await store.admit(request);
    const owner = await cluster.ownerOf(MONEY.epoch);
    // Only replicated writes survive.
    await owner.command('WAIT 1 5000');
    await owner.kill();
    await expect(store.admit(sampleRequest({ holdNanoUsd: 0n, accountId: accountIn(MONEY.shard) }))).rejects.toThrow();
    const settled = await eventually(() => store.settle(sampleSettlement(request, 2n)));
    expect(settled).toMatchObject({ applied: true, holdFound: true, balanceNanoUsd: 7n });
    await owner.start();
    await cluster.untilServed();
    await queues.pass();
  });

  it('loses the accounts of one node only while it is away, and finds them with it', async () => {
    const store = new AdmissionStore(redis);
    const [lost] = cluster.masters;
    const ownShards = SHARDS.slice(0, 21);
    const [here, there] = [accountIn(5), accountIn(40)].map((accountId) =>
      sampleRequest({ holdNanoUsd: 7n, accountId }),
    );
    if (lost === undefined || here === undefined || there === undefined) throw new Error('a node is missing');
    for (const { accountId } of [here, there]) {
      await store.grant(firstGrant(accountId, String(await store.currentEpoch(accountId)), 9n));
    }
    await store.admit(here);
    await store.admit(there);
    await lost.kill();
    await expect(store.settle(sampleSettlement(here, 2n))).rejects.toThrow();
    await eventually(async () => expect((await store.readShards(0)).length).toBe(SHARD_COUNT - ownShards.length));
    // Its neighbours go on at once, and billing reads their events.
    expect(await store.settle(sampleSettlement(there, 2n))).toMatchObject({ applied: true, balanceNanoUsd: 7n });
    const epochs = await store.currentEpochs();
    expect(SHARDS.filter((shard) => epochs[shard] === undefined)).toEqual(ownShards);
    const usage = new UsageStream(redis, { onDead: () => undefined });
    const read = await eventually(async () => {
      const entries = await usage.read({ consumer: 'd', count: 10_000, blockMs: 1 });
      if (!entries.some(({ event }) => event.requestId === there.requestId)) throw new Error('not read yet');
      return entries;
    });
    expect(read.map(({ shard }) => shard)).toEqual(expect.not.arrayContaining(ownShards));
    await expect(store.renew([here, there], 60_000, 60_000)).rejects.toThrow();
    await lost.start();
    await cluster.untilServed();
    const settled = await eventually(() => store.settle(sampleSettlement(here, 2n)));
    expect(settled).toMatchObject({ applied: true, holdFound: true, balanceNanoUsd: 7n });
    await queues.pass();
  });

  it('moves a shard to another node while it and its neighbours are used', async () => {
    const store = new AdmissionStore(redis);
    const moving = keys.shards[30] as MoneyKeys;
    const [accountId, neighbour] = [accountIn(30), accountIn(31)];
    const epoch = String(await store.currentEpoch(accountId));
    for (const one of [accountId, neighbour]) await store.grant(firstGrant(one, epoch, 1_000n));
    let [isOver, spent] = [false, 0n];
    const spending = (async () => {
      while (!isOver) {
        for (const one of [accountId, neighbour]) {
          const request = sampleRequest({ holdNanoUsd: 3n, accountId: one });
          await eventually(() => store.admit(request));
          await eventually(() => store.settle(sampleSettlement(request, 1n)));
        }
        spent += 1n;
      }
    })();
    const [, from, to] = cluster.masters;
    if (from === undefined || to === undefined) throw new Error('a node is missing');
    await moveSlotOf(moving.epoch, from, to);
    const seen = spent;
    await eventually(async () => expect(spent).toBeGreaterThan(seen + 3n));
    isOver = true;
    await spending;
    expect(await cluster.ownerOf(moving.epoch)).toBe(to);
    for (const one of [accountId, neighbour]) {
      expect(await store.readAccount(one)).toMatchObject({
        spendableNanoUsd: 1_000n - spent,
        unsettledNanoUsd: spent,
        heldNanoUsd: 0n,
      });
    }
  });

  it('rejects at once while a node without a replacement is away, and recovers with it', async () => {
    const name = ticketQueueName('sync', 'openai');
    const owner = await cluster.ownerOf(`${keys.queuePrefix(name)}:${name}:wait`);
    await owner.kill();
    const startedMs = Date.now();
    await expect(queues.queues[0]?.enqueue(sampleTicket({ requestId: newRequestId() }))).rejects.toThrow();
    // A command waits for a connecting node, three seconds at most.
    expect(Date.now() - startedMs).toBeLessThan(6_000);
    await outlastFetch();
    await owner.start();
    await cluster.untilServed();
    await queues.pass();
    expect(queues.workers.map((worker) => worker.isAlive())).toEqual(VENDORS.map(() => true));
  });

  it('recovers after all nodes were away; a command meanwhile was never sent', async () => {
    const disconnected = new Promise((resolve) => redis.once('close', resolve));
    await Promise.all(cluster.nodes.map((node) => node.kill()));
    await eventually(async () => {
      await redis.ping().catch(() => undefined);
      if (redis.status === 'ready') throw new Error('the client is still ready');
    });
    await disconnected;
    const refused: unknown = await redis.ping().catch((error: unknown) => error);
    expect(wasNeverSent(refused)).toBe(true);
    await outlastFetch();
    await Promise.all(cluster.nodes.map((node) => node.start()));
    await cluster.untilServed();
    await queues.pass();
  });
});

describe('subscriptions in a cluster', () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  it('receive messages of any node, and report `all` when their node goes away', async () => {
    const events = new EventEmitter();
    const subscription = subscribeInvalidations({
      url: cluster.url,
      onInvalidated: (changed) => events.emit('keys', changed),
      onError: () => undefined,
    });
    close = () => subscription.close();
    await subscription.ready;
    const keySha256 = hashApiKey(newApiKey());
    const cache = new KeyCache(redis);
    const first = once(events, 'keys');
    await cache.invalidate([keySha256]);
    expect(await first).toEqual([[keySha256]]);
    const [subscribedNode] = cluster.masters;
    const dropped = once(events, 'keys');
    await subscribedNode?.kill();
    expect(await dropped).toEqual(['all']);
    await subscribedNode?.start();
    await cluster.untilServed();
    const second = once(events, 'keys');
    await eventually(() => cache.invalidate([keySha256]));
    expect(await second).toEqual([[keySha256]]);
  });
});

/** Moves a slot, as `redis-cli --cluster reshard` does. */
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
