import type { SyncTicket } from '@gateway/contracts';
import type { SyncWorker, SyncWorkerOptions } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { ConsumeTickets } from './consume-tickets.service.js';
import type { RunTicket } from './run-ticket.service.js';
import { fakeLogger, fakeMetrics, ticketOf } from './test-support/fakes.js';
import type { WorkerConfig } from './tokens.js';

function setUp() {
  const opened: (SyncWorkerOptions & { isAlive: boolean; closedAfterMs?: number })[] = [];
  const create = (options: SyncWorkerOptions): SyncWorker => {
    const queue: (typeof opened)[number] = { ...options, isAlive: true };
    opened.push(queue);
    return {
      vendor: options.vendor,
      active: opened.length,
      waiting: 0,
      pause: async () => undefined,
      close: async (graceMs) => {
        queue.closedAfterMs = graceMs;
      },
      isAlive: () => queue.isAlive,
    };
  };
  const config = {
    vendors: ['openai', 'xai'],
    queueRedisUrl: 'redis://q',
    workerConcurrency: 50,
    testConcurrency: 16,
  } as unknown as WorkerConfig;
  const ran: [SyncTicket, AbortSignal, () => void][] = [];
  const tickets = {
    run: async (ticket: SyncTicket, stop: AbortSignal, onClaimed: () => void) => {
      ran.push([ticket, stop, onClaimed]);
      return 'requeue';
    },
  };
  const { metrics, stalled } = fakeMetrics();
  const { logger, lines } = fakeLogger();
  const service = new ConsumeTickets(tickets as unknown as RunTicket, config, metrics, logger, create);
  service.start();
  return { service, opened, ran, stalled, lines };
}

describe('ConsumeTickets', () => {
  it('opens two queues for each vendor; test keys share slots over all vendors', () => {
    const { service, opened } = setUp();
    expect(opened.map(({ kind, vendor, url, slots }) => [kind, vendor, url, slots.size])).toEqual([
      ['sync', 'openai', 'redis://q', 50],
      ['sync', 'xai', 'redis://q', 50],
      ['sync-test', 'openai', 'redis://q', 16],
      ['sync-test', 'xai', 'redis://q', 16],
    ]);
    const [openai, xai, openaiTest, xaiTest] = opened.map(({ slots }) => slots);
    expect([openai === xai, openaiTest === xaiTest]).toEqual([false, true]);
    expect(service.loadByVendor).toMatchObject([
      { vendor: 'openai', active: 1, waiting: 0 },
      { vendor: 'xai', active: 2, waiting: 0 },
    ]);
    expect(service.activeTests).toBe(3 + 4);
  });

  it('runs a ticket with the stop signal of its queue and returns what the run returns', async () => {
    const { opened, ran } = setUp();
    const stop = new AbortController();
    const ticket = ticketOf();
    const onClaimed = () => undefined;
    expect(await opened[0]?.handle(ticket, stop.signal, onClaimed)).toBe('requeue');
    expect(ran).toEqual([[ticket, stop.signal, onClaimed]]);
  });

  it('counts stalled jobs from zero', () => {
    const { opened, stalled } = setUp();
    opened[1]?.onStalled?.();
    expect(stalled).toEqual([
      [{ vendor: 'openai' }, 0],
      [{ vendor: 'xai' }, 0],
      [{ vendor: 'openai' }, 0],
      [{ vendor: 'xai' }, 0],
      [{ vendor: 'xai' }, 1],
    ]);
  });

  it('logs a failed queue worker with its request', () => {
    const { opened, lines } = setUp();
    const error = new Error('no connection');
    opened[0]?.onError(error, 'req_1');
    expect(lines).toEqual([
      ['error', 'queue worker failed', { err: error, requestId: 'req_1', kind: 'sync', vendor: 'openai' }],
    ]);
  });

  it('is alive only while every queue is', () => {
    const { service, opened } = setUp();
    expect(service.isAlive).toBe(true);
    for (const queue of opened.slice(1)) queue.isAlive = false;
    expect(service.isAlive).toBe(false);
  });

  it('drains every queue within the same grace time', async () => {
    const { service, opened } = setUp();
    await service.drain(1_500);
    expect(opened.map(({ closedAfterMs }) => closedAfterMs)).toEqual([1_500, 1_500, 1_500, 1_500]);
  });
});
