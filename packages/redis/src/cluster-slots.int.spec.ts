import { randomBytes } from 'node:crypto';
import { hashApiKey, newApiKey, newRequestId, type SyncTicket, type TaskId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdmissionStore } from './admission/admission-store.js';
import { connectRedis, type RedisConnection } from './connection/connect-redis.js';
import { withReady } from './connection/with-ready.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { KeyCache } from './key-cache/key-cache.js';
import { redisKeys } from './keys.js';
import { FairSlots } from './queues/fair-slots.js';
import { createPollQueue } from './queues/poll-queue.js';
import { createTicketQueue } from './queues/sync-queue.js';
import { createTicketWorker } from './queues/sync-worker.js';
import { PollRateLimiter } from './tasks/poll-rate-limiter.js';
import { RedisServer } from './test-support/redis-server.js';
import { sampleRequest, sampleSettlement, sampleTicket } from './test-support/samples.js';
import { UsageStream } from './usage/usage-stream.js';

/** One node that owns every slot: it rejects commands and scripts across slots, as a larger cluster does. */
describe('in cluster mode', () => {
  let server: RedisServer;
  let redis: RedisConnection;

  beforeAll(async () => {
    server = await RedisServer.start(['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1']);
    const node = await withReady(connectRedis(server.url, 'commands', () => undefined));
    await node.cluster('ADDSLOTSRANGE', 0, 16_383);
    while (!(await node.cluster('INFO')).includes('cluster_state:ok')) await new Promise(setImmediate);
    node.disconnect();
    redis = await withReady(connectRedis(server.url.replace('redis:', 'redis+cluster:'), 'commands', () => undefined));
  });

  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  it('rejects a command across two slots', async () => {
    await expect(redis.mget('one', 'another')).rejects.toThrow('CROSSSLOT');
  });

  it('admits, renews, settles, acknowledges and takes back', async () => {
    const store = new AdmissionStore(redis);
    const spendCap = { capNanoUsd: '100', spendingKeyId: sampleRequest().keyId, spentNanoUsd: '0', version: '1' };
    const request = sampleRequest({ requestsPerMinute: 60, concurrency: 5, spendCap });
    const { accountId, keyId, requestId } = request;
    expect(await store.beginEpoch('1')).toBe(true);
    const grant = { accountId, amountNanoUsd: 50n, sequence: 1n, epoch: '1', reserveVersion: 1n, reserveNanoUsd: 50n };
    expect(await store.grant(grant)).toBe('applied');
    expect(await store.setReserve({ accountId, epoch: '1', reserveVersion: 2n, reserveNanoUsd: 40n })).toBe('applied');
    expect(await store.admit(request)).toMatchObject({ outcome: 'admitted' });
    expect(await store.renew([{ requestId, accountId, keyId }], 60_000, 60_000)).toEqual([]);
    await store.settle(sampleSettlement(request, 5n));
    const usage = new UsageStream(redis, { onDead: () => undefined });
    const [entry] = await usage.read({ consumer: 'c', count: 1, blockMs: 1 });
    expect(entry?.event.requestId).toBe(requestId);
    const booked = { streamId: entry?.streamId ?? '', accountId, costNanoUsd: 5n };
    expect(await store.acknowledge([{ ...booked, isDuplicate: false }])).toBe(1);
    expect(await store.takeBack({ accountId, sequence: 1n, epoch: 1n })).toBe(45n);
    expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 0n, heldNanoUsd: 0n });
  });

  it('claims idempotency keys and caches API keys', async () => {
    const idempotency = new IdempotencyStore(redis);
    const { requestId, accountId } = sampleRequest();
    const work = { endpoint: 'chat.completions', model: 'gm-2.5-pro' } as const;
    const claim = { requestId, accountId, isTest: false, keySha256: 'a'.repeat(64), fingerprint: 'f', work };
    expect(await idempotency.claim(claim)).toEqual({ outcome: 'began' });
    const keys = new KeyCache(redis);
    await keys.invalidate([hashApiKey(newApiKey())]);
    expect(await keys.get(hashApiKey(newApiKey()))).toBeUndefined();
  });

  it('queues tickets and poll jobs, and limits polls', async () => {
    const queue = await createTicketQueue(redis, 'sync', 'openai');
    const handled = Promise.withResolvers<SyncTicket>();
    const worker = createTicketWorker({
      url: server.url.replace('redis:', 'redis+cluster:'),
      vendor: 'openai',
      kind: 'sync',
      slots: new FairSlots(2),
      handle: async (ticket) => {
        handled.resolve(ticket);
        return undefined;
      },
      onError: handled.reject,
    });
    const ticket = sampleTicket({ requestId: newRequestId() });
    await queue.enqueue(ticket);
    expect((await handled.promise).requestId).toBe(ticket.requestId);
    expect(await queue.counts()).toMatchObject({ waiting: 0 });
    await worker.close(1_000);
    await queue.close();
    const polls = await createPollQueue(redis, 'ark');
    await polls.schedule([{ taskId: randomBytes(4).toString('hex') as TaskId, number: 1, delayMs: 60_000 }]);
    expect(await polls.counts()).toEqual({ delayed: 1, due: 0 });
    await polls.close();
    expect(await new PollRateLimiter(redis).reserve('ark-1', 10, 1_000)).toMatchObject({ isReserved: true });
  });

  it('uses one slot for the money of a shard, and one per queue', async () => {
    const keys = redisKeys();
    const slots = (names: readonly string[]) => Promise.all(names.map((name) => redis.cluster('KEYSLOT', name)));
    const { accountId, keyId, requestId } = sampleRequest();
    const shard = keys.of(accountId);
    const money = [shard.epoch, shard.account(accountId), shard.hold(requestId), shard.leases(keyId), shard.usage];
    expect(new Set(await slots(money)).size).toBe(1);
    const queues = ['sync-openai', 'sync-anthropic'].map((name) => `${keys.queuePrefix(name)}:${name}:wait`);
    expect(new Set(await slots(queues)).size).toBe(2);
  });
});
