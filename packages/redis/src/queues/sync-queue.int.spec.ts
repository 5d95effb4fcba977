import { EventEmitter, once } from 'node:events';
import type { SyncTicket } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Queue } from 'bullmq';
import { connectRedis, type RedisConnection } from '../connection/connect-redis.js';
import { withReady } from '../connection/with-ready.js';
import { redisKeys } from '../keys.js';
import { RedisServer } from '../test-support/redis-server.js';
import { sampleTicket } from '../test-support/samples.js';
import { createSyncQueue, type SyncQueue } from './sync-queue.js';
import { createSyncWorker, type SyncWorker, type SyncWorkerOptions, TicketRefusedError } from './sync-worker.js';

// A limit for a hang, not a measure: starting and killing servers takes what it takes.
jest.setTimeout(60_000);

describe('a sync queue', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  let queue: SyncQueue;
  let workers: SyncWorker[];

  beforeEach(async () => {
    workers = [];
    server = await RedisServer.start();
    redis = connectRedis(server.url, 'commands', () => undefined);
    queue = await createSyncQueue(await withReady(redis), 'openai');
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close(0)));
    redis.disconnect();
    await server.stop();
  });

  /** A worker whose jobs and errors are events; a job ends when `finish` is called. */
  function openWorker(more: Partial<SyncWorkerOptions> = {}) {
    const heard = new EventEmitter();
    const worker = createSyncWorker({
      url: server.url,
      vendor: 'openai',
      concurrency: 1,
      handle: async (ticket, signal) => {
        heard.emit('job', ticket, signal);
      },
      onError: (error, requestId) => heard.emit('failure', error, requestId),
      ...more,
    });
    workers.push(worker);
    return { worker, heard, nextJob: async () => (await once(heard, 'job')) as [SyncTicket, AbortSignal] };
  }

  /** Until this many workers do nothing but wait for the next job. */
  async function idle(count: number): Promise<void> {
    const isIdle = async () => (await redis.info('clients')).includes(`blocked_clients:${count}\r`);
    while (!(await isIdle())) await new Promise(setImmediate);
  }

  it('brings the tickets of one turn together, each as it was and whatever becomes of its neighbours', async () => {
    const tickets = Array.from({ length: 20 }, () => sampleTicket({}));
    await Promise.all(tickets.map((ticket) => queue.enqueue(ticket)));
    expect((await queue.counts()).waiting).toBe(3);
    const seen: SyncTicket[] = [];
    const failures: Error[] = [];
    const { heard } = openWorker({
      concurrency: 3,
      handle: async (ticket) => {
        seen.push(ticket);
        if (ticket === seen[0]) throw new Error('this one fails');
        heard.emit('seen');
      },
      onError: (error) => failures.push(error),
    });
    while (seen.length < tickets.length) await once(heard, 'seen');
    const byId = (list: readonly SyncTicket[]) => [...list].sort((a, b) => (a.requestId < b.requestId ? -1 : 1));
    expect(byId(seen)).toEqual(byId(tickets));
    while ((await queue.counts()).active > 0) await new Promise(setImmediate);
    expect(failures.map(({ message }) => message)).toEqual(['this one fails']);
  });

  it('wakes an idle worker once for each job', async () => {
    const { worker, nextJob } = openWorker({ concurrency: 10 });
    await idle(1);
    await redis.config('RESETSTAT');
    for (let count = 0; count < 5; count += 1) {
      const job = nextJob();
      await queue.enqueue(sampleTicket());
      await job;
      while ((await queue.counts()).active > 0) await new Promise(setImmediate);
      await idle(1);
    }
    const [, waits] = /cmdstat_bzpopmin:calls=(\d+)/.exec(await redis.info('commandstats')) ?? [];
    expect([Number(waits), worker.active]).toEqual([5, 0]);
  });

  it('does not take back the neighbours of a request that is taken back', async () => {
    const [first, second] = [sampleTicket({}), sampleTicket({})];
    await Promise.all([queue.enqueue(first), queue.enqueue(second)]);
    expect(await queue.remove(first.requestId)).toBe(false);
    expect((await queue.counts()).waiting).toBe(1);
  });

  it('brings a ticket to a worker as it was, and leaves nothing of it in Redis', async () => {
    const { nextJob } = openWorker();
    const ticket = sampleTicket({ traceparent: '00-1-2-01' });
    const job = nextJob();
    await queue.enqueue(ticket);
    expect((await job)[0]).toEqual(ticket);
    const second = nextJob();
    await queue.enqueue(sampleTicket());
    await second;
    const third = nextJob();
    await queue.enqueue(sampleTicket());
    await third;
    // The end of a job and the fetch of the next one are one script: the first two have ended.
    expect(await redis.keys(`*${ticket.requestId}*`)).toEqual([]);
  });

  it('counts what waits and for how long, and takes the same request once', async () => {
    expect(await queue.counts()).toEqual({ waiting: 0, active: 0, oldestWaitMs: 0 });
    const ticket = sampleTicket();
    await Promise.all([queue.enqueue(ticket), queue.enqueue(ticket)]);
    await queue.enqueue(ticket);
    await queue.enqueue(sampleTicket());
    const { waiting, active, oldestWaitMs } = await queue.counts();
    expect({ waiting, active }).toEqual({ waiting: 2, active: 0 });
    expect(oldestWaitMs).toBeGreaterThanOrEqual(0);
    expect(oldestWaitMs).toBeLessThan(60_000);
  });

  it('lets another worker have what one hands back, of a bundle that alone, until nobody can wait for it any more', async () => {
    const admittedAtMs = Date.now();
    const old = sampleTicket({ admittedAtMs: admittedAtMs - 10_000 });
    const [mine, theirs] = [sampleTicket({ admittedAtMs }), sampleTicket({ admittedAtMs })];
    await Promise.all([old, mine, theirs].map((ticket) => queue.enqueue(ticket)));
    const first: string[] = [];
    const { worker } = openWorker({
      handle: async ({ requestId }) => {
        first.push(requestId);
        return requestId === mine.requestId ? undefined : 'handed back';
      },
    });
    while (first.length < 3) await new Promise(setImmediate);
    await worker.close(1_000);
    const [ticket] = await openWorker().nextJob();
    expect(ticket).toEqual(theirs);
    while ((await queue.counts()).active > 0) await new Promise(setImmediate);
    expect(await redis.exists(`${redisKeys().queuePrefix('sync-openai')}:sync-openai:delayed`)).toBe(0);
  });

  it('removes a job that has not started, and only such a one', async () => {
    const waiting = sampleTicket();
    await queue.enqueue(waiting);
    expect(await queue.remove(waiting.requestId)).toBe(true);
    expect(await queue.remove(waiting.requestId)).toBe(false);
    expect(await queue.counts()).toMatchObject({ waiting: 0 });

    const gate = new EventEmitter();
    openWorker({
      handle: async () => {
        gate.emit('started');
        await once(gate, 'finish');
      },
    });
    const started = once(gate, 'started');
    const running = sampleTicket();
    await queue.enqueue(running);
    await started;
    expect(await queue.remove(running.requestId)).toBe(false);
    expect(await queue.counts()).toMatchObject({ waiting: 0, active: 1 });
    gate.emit('finish');
  });

  it('keeps the events stream short, also after Redis was emptied', async () => {
    const meta = `${redisKeys().queuePrefix('sync-openai')}:sync-openai:meta`;
    expect(await redis.hget(meta, 'opts.maxLenEvents')).toBe('10');
    await redis.flushall();
    const ready = new Promise((resolve) => redis.once('ready', resolve));
    await server.kill();
    await server.start();
    await ready;
    await queue.enqueue(sampleTicket());
    expect(await redis.hget(meta, 'opts.maxLenEvents')).toBe('10');
  });

  it.each([
    ['of another version', { ...sampleTicket(), schemaVersion: 2 }],
    ['that is none', { hello: 'world' }],
  ])('refuses loudly a ticket %s and goes on with the next', async (_words, data) => {
    const { heard, nextJob } = openWorker();
    const failure = once(heard, 'failure');
    const raw = new Queue('sync-openai', {
      connection: redis,
      prefix: redisKeys().queuePrefix('sync-openai'),
      defaultJobOptions: { removeOnFail: true },
    });
    await raw.add('sync', data, { jobId: 'req_other' });
    const [error, requestId] = await failure;
    expect(error).toBeInstanceOf(TicketRefusedError);
    expect(requestId).toBe('req_other');
    const job = nextJob();
    await queue.enqueue(sampleTicket());
    await job;
  });

  it('reports what the handler throws, once, and does not try again', async () => {
    let calls = 0;
    const { heard } = openWorker({
      handle: async () => {
        calls += 1;
        throw new Error('boom');
      },
    });
    const failure = once(heard, 'failure');
    const ticket = sampleTicket();
    await queue.enqueue(ticket);
    expect(await failure).toEqual([new Error('boom'), ticket.requestId]);
    expect(await queue.counts()).toMatchObject({ waiting: 0 });
    expect(calls).toBe(1);
  });

  it('refuses at once while Redis is away', async () => {
    const closed = new Promise((resolve) => redis.once('close', resolve));
    await server.kill();
    await closed;
    await expect(queue.enqueue(sampleTicket())).rejects.toThrow('enableOfflineQueue options is false');
  });

  it('loses no accepted ticket when Redis is killed, and the worker comes back by itself', async () => {
    const ticket = sampleTicket();
    await queue.enqueue(ticket);
    await server.kill();
    const { worker, heard, nextJob } = openWorker();
    heard.on('failure', () => undefined);
    const first = nextJob();
    await server.start();
    expect((await first)[0]).toEqual(ticket);
    expect(worker.isAlive()).toBe(true);
    await withReady(redis);
    await idle(1);
    const second = nextJob();
    await server.kill();
    await server.start();
    await withReady(redis);
    await queue.enqueue(sampleTicket());
    await second;
    expect(worker.isAlive()).toBe(true);
  });

  it('takes nothing once paused, not even what it was waiting for: another worker is given it', async () => {
    const paused = Array.from({ length: 5 }, () => openWorker());
    await idle(paused.length);
    await Promise.all(paused.map(({ worker }) => worker.pause()));
    let taken = 0;
    for (const { heard } of paused) {
      heard.removeAllListeners('job').on('job', () => {
        taken += 1;
      });
    }
    const other = openWorker();
    const ticket = sampleTicket();
    const job = other.nextJob();
    await queue.enqueue(ticket);
    expect((await job)[0]).toEqual(ticket);
    expect(taken).toBe(0);
  });

  it('asks a Redis that is full about once a second, and fetches again when there is room', async () => {
    const ticket = sampleTicket();
    await queue.enqueue(ticket);
    await redis.config('SET', 'maxmemory', '1');
    const { worker, heard, nextJob } = openWorker();
    const refused: Error[] = [];
    const [first] = (await once(heard, 'failure')) as [Error];
    heard.on('failure', (error: Error) => refused.push(error));
    expect(first.message).toContain('OOM');
    const job = nextJob();
    await once(heard, 'failure');
    expect(refused.length).toBeLessThan(5);
    expect(worker.isAlive()).toBe(true);
    await redis.config('SET', 'maxmemory', '0');
    expect((await job)[0]).toEqual(ticket);
  });

  it('lets a running job finish when it is closed', async () => {
    const gate = new EventEmitter();
    let finished = false;
    const { worker } = openWorker({
      handle: async () => {
        gate.emit('started');
        await once(gate, 'finish');
        finished = true;
      },
    });
    const started = once(gate, 'started');
    await queue.enqueue(sampleTicket());
    await started;
    expect(worker.active).toBe(1);
    const closed = worker.close(30_000);
    gate.emit('finish');
    await closed;
    expect(finished).toBe(true);
    expect(worker.active).toBe(0);
    expect(await queue.counts()).toMatchObject({ waiting: 0, active: 0 });
  });

  it('aborts a job that does not finish in time', async () => {
    const gate = new EventEmitter();
    const { worker } = openWorker({
      handle: (ticket, signal) => {
        gate.emit('job', ticket, signal);
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const started = once(gate, 'job');
    await queue.enqueue(sampleTicket());
    const [, signal] = (await started) as [SyncTicket, AbortSignal];
    await worker.close(1);
    expect(signal.aborted).toBe(true);
    expect(worker.active).toBe(0);
  });

  it('closes while Redis is away, idle or busy', async () => {
    const started = new EventEmitter();
    const busy = openWorker({
      handle: () => {
        started.emit('job');
        return new Promise(() => undefined);
      },
    });
    const idle = openWorker();
    for (const { heard } of [busy, idle]) heard.on('failure', () => undefined);
    const both = Promise.race([once(started, 'job'), idle.nextJob()]);
    await queue.enqueue(sampleTicket());
    await both;
    await server.kill();
    expect(busy.worker.isAlive()).toBe(true);
    await Promise.all([busy.worker.close(10), idle.worker.close(10)]);
    workers = [];
  });

  it('closes although it has never seen Redis', async () => {
    await server.kill();
    const { worker, heard } = openWorker();
    await once(heard, 'failure');
    await worker.close(10);
    workers = [];
    await server.start();
  });
});
