import { setImmediate as nextTick } from 'node:timers/promises';
import { createMetrics } from '@gateway/observability';
import type { ClaimedDelivery } from '@gateway/postgres';
import { eventually } from '@gateway/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { countOf, fake, silentLogger } from '../test-support/fakes.js';
import type { WorkerConfig } from '../tokens.js';
import type { AttemptDelivery } from './attempt-delivery.service.js';
import { DeliveryWorker } from './delivery-worker.service.js';
import { webhookMetrics } from './webhook-metrics.js';
import type { WebhookStore } from './webhook-store.service.js';

const workers: DeliveryWorker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
});

/** A worker over a queue of due deliveries. It polls by itself only after the test. */
function delivering(due: string[], attempt: (id: string, signal: AbortSignal) => Promise<void>, concurrency = 2) {
  const claims: unknown[][] = [];
  const metrics = webhookMetrics(createMetrics('video-worker'));
  const store = fake<WebhookStore>({
    claim: async (...claim) => {
      claims.push(claim);
      const [limit] = claim;
      return due.splice(0, limit).map((id) => ({ id }) as ClaimedDelivery);
    },
  });
  const webhooks = { pollEveryMs: 600_000, concurrency, timeoutMs: 5_000 } as WorkerConfig['webhooks'];
  const attempts = fake<AttemptDelivery>({ attempt: ({ id }, signal) => attempt(id, signal) });
  const worker = new DeliveryWorker(store, { webhooks }, metrics, silentLogger(), attempts);
  workers.push(worker);
  return { worker, claims, metrics };
}

describe('DeliveryWorker', () => {
  it('claims free places only, for longer than an attempt takes', async () => {
    const held = Promise.withResolvers<void>();
    const begun: string[] = [];
    const { worker, claims } = delivering(['a', 'b', 'c'], async (id) => {
      begun.push(id);
      await held.promise;
    });
    worker.start();
    await eventually(() => expect(begun).toEqual(['a', 'b']));
    held.resolve();
    await eventually(() => expect(begun).toEqual(['a', 'b', 'c']));
    expect(claims[0]).toEqual([2, 15_000]);
  });

  it('keeps a quarter of its places for accounts without a running attempt', async () => {
    const held = Promise.withResolvers<void>();
    const due = Array.from({ length: 8 }, (_, at) => `${at}`);
    const { worker, claims } = delivering(due, () => held.promise, 8);
    worker.start();
    await eventually(() => expect(due).toEqual([]));
    expect(claims).toEqual([
      [6, 15_000],
      [2, 15_000, 1],
    ]);
    held.resolve();
  });

  it('claims at once after a notification', async () => {
    const due: string[] = [];
    const begun: string[] = [];
    const { worker, claims } = delivering(due, async (id) => void begun.push(id));
    worker.start();
    await eventually(() => expect(claims).toHaveLength(1));
    due.push('late');
    worker.kick();
    await eventually(() => expect(begun).toEqual(['late']));
  });

  it('counts an attempt without an outcome and continues with the next delivery', async () => {
    const begun: string[] = [];
    const { worker, metrics } = delivering(
      ['lost', 'next'],
      async (id) => {
        begun.push(id);
        await nextTick();
        if (id === 'lost') throw new Error('Postgres is away');
      },
      1,
    );
    worker.start();
    await eventually(() => expect(begun).toEqual(['lost', 'next']));
    expect(await countOf(metrics.unreported)).toBe(1);
  });

  it('waits for running attempts when it stops, and claims nothing more', async () => {
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let isDone = false;
    const { worker, claims } = delivering(['a'], async () => {
      begun.resolve();
      await held.promise;
      isDone = true;
    });
    worker.start();
    await begun.promise;
    const stopped = worker.stop();
    const claimCount = claims.length;
    held.resolve();
    await stopped;
    expect([isDone, claims.length - claimCount]).toEqual([true, 0]);
  });
});
