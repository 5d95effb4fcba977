import { EventEmitter, once } from 'node:events';
import type { SyncTicket } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { connectRedis, type RedisConnection } from '../connection/connect-redis.js';
import { withReady } from '../connection/with-ready.js';
import { redisKeys } from '../keys.js';
import { BlackholeProxy } from '../test-support/blackhole-proxy.js';
import { RedisServer } from '../test-support/redis-server.js';
import { sampleTicket } from '../test-support/samples.js';
import { FairSlots } from './fair-slots.js';
import { createTicketQueue, type SyncQueue } from './sync-queue.js';
import { createTicketWorker, type SyncWorker, type SyncWorkerOptions, TicketRefusedError } from './sync-worker.js';

/** The edge's default patience. */
const ACCEPT_TIMEOUT_MS = 10_000;

describe('the sync queue', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  let queue: SyncQueue;
  let workers: SyncWorker[];

  beforeEach(async () => {
    workers = [];
    server = await RedisServer.start();
    redis = connectRedis(server.url, 'commands', () => undefined);
    queue = await createTicketQueue(await withReady(redis), 'sync', 'openai');
  });

  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close(0)));
    redis.disconnect();
    await server.stop();
  });

  /** A worker whose jobs and errors are events; a job ends when `finish` is called. */
  function openWorker(more: Partial<SyncWorkerOptions> = {}) {
    const events = new EventEmitter();
    const worker = createTicketWorker({
      url: server.url,
      vendor: 'openai',
      kind: 'sync',
      slots: new FairSlots(1),
      handle: async (ticket, signal) => {
        events.emit('job', ticket, signal);
      },
      onError: (error, requestId) => events.emit('failure', error, requestId),
      ...more,
    });
    workers.push(worker);
    return { worker, events, nextJob: async () => (await once(events, 'job')) as [SyncTicket, AbortSignal] };
  }

  /** Waits until this many workers wait for a job. */
  async function idle(count: number): Promise<void> {
    const isIdle = async () => (await redis.info('clients')).includes(`blocked_clients:${count}\r`);
    while (!(await isIdle())) await new Promise(setImmediate);
  }

  it('bundles concurrent tickets, and a failed one does not stop the others', async () => {
    const tickets = Array.from({ length: 20 }, () => sampleTicket({}));
    await Promise.all(tickets.map((ticket) => queue.enqueue(ticket)));
    expect((await queue.counts()).waiting).toBe(3);
    const seen: SyncTicket[] = [];
    const failures: Error[] = [];
    const { events } = openWorker({
      slots: new FairSlots(3),
      handle: async (ticket) => {
        seen.push(ticket);
        if (ticket === seen[0]) throw new Error('this one fails');
        events.emit('seen');
      },
      onError: (error) => failures.push(error),
    });
    while (seen.length < tickets.length) await once(events, 'seen');
    const byId = (list: readonly SyncTicket[]) => [...list].sort((a, b) => (a.requestId < b.requestId ? -1 : 1));
    expect(byId(seen)).toEqual(byId(tickets));
    // A job ends with its last claim, so a request may still be under way.
    while ((await queue.counts()).active > 0 || failures.length === 0) await new Promise(setImmediate);
    expect(failures.map(({ message }) => message)).toEqual(['this one fails']);
  });

  it('wakes an idle worker once for each job', async () => {
    const { worker, nextJob } = openWorker({ slots: new FairSlots(10) });
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

  it('does not remove a bundle with one of its requests', async () => {
    const [first, second] = [sampleTicket({}), sampleTicket({})];
    await Promise.all([queue.enqueue(first), queue.enqueue(second)]);
    expect(await queue.remove(first.requestId)).toBe(false);
    expect((await queue.counts()).waiting).toBe(1);
  });

  it('delivers a ticket unchanged, and leaves nothing of it in Redis', async () => {
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

  it('counts waiting jobs and their age, and enqueues a request once', async () => {
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

  it('requeues a ticket for another worker, without the others of its bundle, unless it is abandoned', async () => {
    const admittedAtMs = Date.now();
    const old = sampleTicket({ admittedAtMs: admittedAtMs - 10_000 });
    const [mine, theirs] = [sampleTicket({ admittedAtMs }), sampleTicket({ admittedAtMs })];
    await Promise.all([old, mine, theirs].map((ticket) => queue.enqueue(ticket)));
    const first: string[] = [];
    const { worker } = openWorker({
      handle: async ({ requestId }) => {
        first.push(requestId);
        return requestId === mine.requestId ? undefined : 'requeue';
      },
    });
    while (first.length < 3) await new Promise(setImmediate);
    await worker.close(1_000);
    const [ticket] = await openWorker().nextJob();
    expect(ticket).toEqual(theirs);
    while ((await queue.counts()).active > 0) await new Promise(setImmediate);
    expect(await redis.exists(`${redisKeys().queuePrefix('sync-openai')}:sync-openai:delayed`)).toBe(0);
  });

  it('removes only a job that has not started', async () => {
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

  it('limits the events stream, also after Redis lost its data', async () => {
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
    ['of another shape', { hello: 'world' }],
  ])('reports a ticket %s and continues with the next', async (_title, data) => {
    const { events, nextJob } = openWorker();
    const failure = once(events, 'failure');
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

  it('reports a handler’s error once, and does not retry', async () => {
    let calls = 0;
    const { events } = openWorker({
      handle: async () => {
        calls += 1;
        throw new Error('boom');
      },
    });
    const failure = once(events, 'failure');
    const ticket = sampleTicket();
    await queue.enqueue(ticket);
    expect(await failure).toEqual([new Error('boom'), ticket.requestId]);
    expect(await queue.counts()).toMatchObject({ waiting: 0 });
    expect(calls).toBe(1);
  });

  it('rejects at once while Redis is away', async () => {
    const closed = new Promise((resolve) => redis.once('close', resolve));
    await server.kill();
    await closed;
    await expect(queue.enqueue(sampleTicket())).rejects.toThrow('enableOfflineQueue options is false');
  });

  it('loses no accepted ticket when Redis is killed, and the worker reconnects', async () => {
    const ticket = sampleTicket();
    await queue.enqueue(ticket);
    await server.kill();
    const { worker, events, nextJob } = openWorker();
    events.on('failure', () => undefined);
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

  it('fetches nothing once paused, and another worker gets the job', async () => {
    const paused = Array.from({ length: 5 }, () => openWorker());
    await idle(paused.length);
    await Promise.all(paused.map(({ worker }) => worker.pause()));
    let fetched = 0;
    for (const { events } of paused) {
      events.removeAllListeners('job').on('job', () => {
        fetched += 1;
      });
    }
    const other = openWorker();
    const ticket = sampleTicket();
    const job = other.nextJob();
    await queue.enqueue(ticket);
    expect((await job)[0]).toEqual(ticket);
    expect(fetched).toBe(0);
  });

  it('retries about once a second while Redis is full, and fetches again afterwards', async () => {
    const ticket = sampleTicket();
    await queue.enqueue(ticket);
    await redis.config('SET', 'maxmemory', '1');
    const { worker, events, nextJob } = openWorker();
    const refused: Error[] = [];
    const [first] = (await once(events, 'failure')) as [Error];
    events.on('failure', (error: Error) => refused.push(error));
    expect(first.message).toContain('OOM');
    const job = nextJob();
    await once(events, 'failure');
    expect(refused.length).toBeLessThan(5);
    expect(worker.isAlive()).toBe(true);
    await redis.config('SET', 'maxmemory', '0');
    expect((await job)[0]).toEqual(ticket);
  });

  /** A worker with `size` slots whose requests run until `end` is called for them. */
  function openHeldWorker(size: number, url = server.url) {
    const started: SyncTicket[] = [];
    const ends = new Map<string, () => void>();
    const { worker } = openWorker({
      url,
      slots: new FairSlots(size),
      handle: async (ticket, _signal, onClaimed) => {
        started.push(ticket);
        onClaimed();
        await new Promise<void>((resolve) => ends.set(ticket.requestId, resolve));
        return undefined;
      },
    });
    const until = async (count: number) => {
      while (started.length < count) await new Promise(setImmediate);
      return started;
    };
    const end = ({ requestId }: SyncTicket) => ends.get(requestId)?.();
    const endAll = () => {
      for (const resolve of ends.values()) resolve();
    };
    return { worker, started, until, end, endAll };
  }

  const ticketsOf = (accountId: string, count: number) =>
    Array.from({ length: count }, () => sampleTicket({ accountId, admittedAtMs: Date.now() }));
  const enqueueAll = (tickets: readonly SyncTicket[]) => Promise.all(tickets.map((ticket) => queue.enqueue(ticket)));

  it('forgets a ticket once it is claimed, although its request still runs', async () => {
    const held = openHeldWorker(1);
    await queue.enqueue(sampleTicket());
    await held.until(1);
    while ((await queue.counts()).active > 0) await new Promise(setImmediate);
    expect([held.worker.active, await redis.keys('*req_*')]).toEqual([1, []]);
    held.endAll();
  });

  it('starts a request at once although hundreds of another account wait before it', async () => {
    const held = openHeldWorker(8);
    await enqueueAll(ticketsOf('hostile', 300));
    await held.until(6);
    await enqueueAll(ticketsOf('other', 2));
    await held.until(8);
    expect(held.started.map(({ accountId }) => accountId).slice(6)).toEqual(['other', 'other']);
    held.endAll();
  });

  it('takes waiting requests in turn by account', async () => {
    const held = openHeldWorker(1);
    const [first, ...hostile] = ticketsOf('hostile', 20);
    await enqueueAll([first as SyncTicket]);
    await held.until(1);
    await enqueueAll([...hostile, ...ticketsOf('one', 2), ...ticketsOf('two', 2)]);
    while (held.worker.waiting < 23) await new Promise(setImmediate);
    for (let count = 1; count <= 6; count += 1) {
      held.end(held.started[count - 1] as SyncTicket);
      await held.until(count + 1);
    }
    const order = held.started.slice(1, 7).map(({ accountId }) => accountId);
    expect(order.slice(0, 3).sort()).toEqual(['hostile', 'one', 'two']);
    expect(order.slice(3).sort()).toEqual(['hostile', 'one', 'two']);
    held.endAll();
  });

  it('hands waiting tickets to a worker that comes later and has free slots', async () => {
    const full = openHeldWorker(1);
    await queue.enqueue(sampleTicket({ admittedAtMs: Date.now() }));
    await full.until(1);
    await enqueueAll(ticketsOf('a', 10));
    while (full.worker.waiting < 10) await new Promise(setImmediate);
    const idle = openHeldWorker(40);
    expect(await idle.until(10)).toHaveLength(10);
    expect(full.started).toHaveLength(1);
    full.endAll();
    idle.endAll();
  });

  it('leaves new tickets to an idle worker while its own slots are full', async () => {
    const full = openHeldWorker(1);
    await queue.enqueue(sampleTicket({ admittedAtMs: Date.now() }));
    await full.until(1);
    const free = openHeldWorker(40);
    await idle(2);
    for (let count = 1; count <= 20; count += 1) {
      await queue.enqueue(sampleTicket({ admittedAtMs: Date.now() }));
      await free.until(count);
    }
    expect([full.started.length, full.worker.waiting]).toEqual([1, 0]);
    full.endAll();
    free.endAll();
  });

  it('returns waiting tickets when it closes, while running ones end', async () => {
    const closing = openHeldWorker(1);
    await queue.enqueue(sampleTicket({ admittedAtMs: Date.now() }));
    await closing.until(1);
    await enqueueAll(ticketsOf('a', 10));
    while (closing.worker.waiting < 10) await new Promise(setImmediate);
    const closed = closing.worker.close(30_000);
    const other = openHeldWorker(40);
    await other.until(10);
    expect(closing.worker.active).toBe(1);
    closing.endAll();
    await closed;
    other.endAll();
  });

  it('gives the tickets of a dead worker to another one while their edge still waits', async () => {
    const proxy = await BlackholeProxy.before(server.port);
    const dead = openHeldWorker(1, proxy.url);
    await queue.enqueue(sampleTicket({ admittedAtMs: Date.now() }));
    await dead.until(1);
    const waiting = ticketsOf('a', 20);
    await enqueueAll(waiting);
    while (dead.worker.waiting < 20) await new Promise(setImmediate);
    proxy.blackhole();
    const other = openHeldWorker(40);
    await other.until(20);
    const oldestMs = Date.now() - Math.min(...waiting.map(({ admittedAtMs }) => admittedAtMs));
    expect(oldestMs).toBeLessThan(ACCEPT_TIMEOUT_MS);
    expect(new Set(other.started.map(({ requestId }) => requestId)).size).toBe(20);
    dead.endAll();
    other.endAll();
    proxy.close();
  });

  it('waits for a running job on close', async () => {
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

  it('aborts a job after the close time-out', async () => {
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
    for (const { events } of [busy, idle]) events.on('failure', () => undefined);
    const both = Promise.race([once(started, 'job'), idle.nextJob()]);
    await queue.enqueue(sampleTicket());
    await both;
    await server.kill();
    expect(busy.worker.isAlive()).toBe(true);
    await Promise.all([busy.worker.close(10), idle.worker.close(10)]);
    workers = [];
  });

  it('closes without ever having been connected', async () => {
    await server.kill();
    const { worker, events } = openWorker();
    await once(events, 'failure');
    await worker.close(10);
    workers = [];
    await server.start();
  });
});
