import { newAccountId, newKeyId, newRequestId } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AdmissionStore } from './admission/admission-store.js';
import { connectRedis, type RedisConnection } from './connection/connect-redis.js';
import { withReady } from './connection/with-ready.js';
import { FairSlots } from './queues/fair-slots.js';
import { createTicketQueue, type SyncQueue } from './queues/sync-queue.js';
import { createTicketWorker, type SyncWorker } from './queues/sync-worker.js';
import { RedisServer } from './test-support/redis-server.js';
import { sampleRequest, sampleSettlement, sampleTicket } from './test-support/samples.js';

/**
 * More requests than the commands that run beside them, such as the checks for stalled jobs: rounded down, their share of
 * a request is nothing.
 */
const REQUESTS = 200;
const AT_ONCE = 8;

let server: RedisServer;
let redis: RedisConnection;
let workerRedis: RedisConnection;
let store: AdmissionStore;
let settling: AdmissionStore;
let queue: SyncQueue;
let worker: SyncWorker;
/** What settles each running request, and ends its wait. */
const settlements = new Map<string, () => Promise<void>>();

const fail = (error: Error): void => {
  throw error;
};

beforeEach(async () => {
  server = await RedisServer.start();
  redis = await withReady(connectRedis(server.url, 'commands', fail));
  workerRedis = await withReady(connectRedis(server.url, 'commands', fail));
  store = new AdmissionStore(redis);
  await store.beginEpoch('1');
  settling = new AdmissionStore(workerRedis);
  queue = await createTicketQueue(redis, 'sync', 'openai');
  worker = createTicketWorker({
    url: server.url,
    kind: 'sync',
    vendor: 'openai',
    slots: new FairSlots(64),
    handle: async (ticket, _signal, onClaimed) => {
      onClaimed();
      await settlements.get(ticket.requestId)?.();
      return undefined;
    },
    onError: fail,
  });
});

afterEach(async () => {
  await worker.close(5_000);
  await queue.close();
  redis.disconnect();
  workerRedis.disconnect();
  await server.stop();
});

/** One request as edge and worker make it, without HTTP. Resolves when it is settled. */
async function run(): Promise<void> {
  const request = { requestId: newRequestId(), accountId: newAccountId(), keyId: newKeyId() };
  const settled = Promise.withResolvers<void>();
  settlements.set(request.requestId, async () => {
    await settling.settle(sampleSettlement(request, 0n));
    settled.resolve();
  });
  const { outcome } = await store.admit(sampleRequest({ ...request, isFree: true, holdNanoUsd: 0n }));
  expect(outcome).toBe('admitted');
  await queue.enqueue(sampleTicket(request));
  await settled.promise;
  settlements.delete(request.requestId);
}

type Used = Readonly<Record<'commands' | 'writes', number>>;

async function used(): Promise<Used> {
  const [commands, stats] = await Promise.all([redis.info('commandstats'), redis.info('stats')]);
  const callsOf = (name: string): number => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(commands)?.[1] ?? 0);
  return {
    // Calls from outside: the commands within a script are not part of them.
    commands: callsOf('evalsha') + callsOf('bzpopmin'),
    // What our processes write at once, Redis reads at once.
    writes: Number(/total_reads_processed:(\d+)/.exec(stats)?.[1]),
  };
}

/** What one request costs, while so many run at once. */
async function costOf(atOnce: number): Promise<Used> {
  const together = () => Promise.all(Array.from({ length: atOnce }, run));
  await together();
  const before = await used();
  for (let round = 0; round < REQUESTS / atOnce; round += 1) await together();
  const after = await used();
  return {
    commands: (after.commands - before.commands) / REQUESTS,
    writes: (after.writes - before.writes) / REQUESTS,
  };
}

describe('the budget of a request at Redis', () => {
  it('is eight commands in six writes for a request alone', async () => {
    const { commands, writes } = await costOf(1);
    expect(Math.floor(commands)).toBeLessThanOrEqual(8);
    expect(Math.floor(writes)).toBeLessThanOrEqual(6);
  });

  it('is less than three commands and one write for each of eight requests at once', async () => {
    const { commands, writes } = await costOf(AT_ONCE);
    expect(commands).toBeLessThan(3);
    expect(writes).toBeLessThan(1);
  });
});
