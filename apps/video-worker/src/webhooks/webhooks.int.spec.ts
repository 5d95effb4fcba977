import { createServer as createTcpServer } from 'node:net';
import { claimDeliveries, rotateSecret, secretSeal } from '@gateway/postgres';
import { eventually, WebhookReceiver } from '@gateway/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { DeliveriesUnderTest, type SubscribedAccount } from '../test-support/deliveries-under-test.js';

let test: DeliveriesUnderTest;
let receiver: WebhookReceiver;
let customer: SubscribedAccount;

beforeAll(async () => {
  test = await DeliveriesUnderTest.open();
});

beforeEach(async () => {
  receiver = await WebhookReceiver.open();
  customer = await test.account();
});

afterEach(async () => {
  await test.stopWorkers();
  await receiver.close();
  await test.deleteEvents();
});

afterAll(() => test.close());

/** Emits one event and returns its delivery after it has ended. */
async function outcome(url = receiver.url, more: Parameters<DeliveriesUnderTest['worker']>[0] = {}) {
  test.worker(more);
  await customer.emit(url);
  const [delivery] = await customer.ended();
  return delivery;
}

describe('a webhook', () => {
  it('arrives with a signature that the official library verifies', async () => {
    const delivery = await outcome();
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 204, lastError: null });
    const [received] = receiver.received;
    if (received === undefined) throw new Error('no webhook arrived');
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': delivery?.event.publicId,
    });
    const [secret = ''] = await customer.secrets();
    expect(new Webhook(secret).verify(received.body, received.headers)).toEqual({
      id: received.headers['webhook-id'],
      object: 'event',
      created_at: expect.any(Number),
      type: 'video.task.succeeded',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { id: 'task_a', status: 'succeeded', content: { video_url: 'https://cdn.example/é.mp4' }, cost: '0.10' },
    });
  });

  it('has the same bytes and id at every attempt, and a fresh signature', async () => {
    receiver.respond = (response) => response.writeHead(receiver.received.length < 3 ? 500 : 200).end('try again');
    const delivery = await outcome();
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 3 });
    expect(delivery?.attemptLog).toMatchObject([
      { number: 3, status: 200, error: null },
      { number: 2, status: 500, error: 'status', responseBody: 'try again' },
      { number: 1, status: 500, error: 'status' },
    ]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [secret = ''] = await customer.secrets();
    for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
  });

  it('is signed with both secrets during a rotation', async () => {
    const keys = [Buffer.alloc(32, 7)];
    const seal = secretSeal(keys);
    const { secret: old } = await rotateSecret(test.database, customer.id, 0, seal);
    const { secret: current } = await rotateSecret(test.database, customer.id, 60_000, seal);
    await outcome(receiver.url, { secretKeys: keys });
    const [received] = receiver.received;
    if (received === undefined) throw new Error('no webhook arrived');
    expect(received.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const secret of [old, current]) new Webhook(secret).verify(received.body, received.headers);
  });

  it('is not sent if it cannot be signed, and reports why', async () => {
    await rotateSecret(test.database, customer.id, 0, secretSeal([Buffer.alloc(32, 1)]));
    const delivery = await outcome(receiver.url, { secretKeys: [Buffer.alloc(32, 2)], retryDelaysMs: [1] });
    expect(delivery).toMatchObject({ state: 'failed', attempts: 2, lastError: 'not_signed' });
    expect(receiver.received).toEqual([]);
  });
});

describe('a receiver', () => {
  it('that always responds with 500 is tried as often as the schedule states', async () => {
    receiver.respond = (response) => response.writeHead(500).end();
    expect(await outcome()).toMatchObject({ state: 'failed', attempts: 4, lastStatus: 500, lastError: 'status' });
    expect(receiver.received).toHaveLength(4);
  });

  it('that redirects counts as failed: redirects are not followed', async () => {
    const elsewhere = await WebhookReceiver.open();
    receiver.respond = (response) => response.writeHead(307, { location: elsewhere.url }).end();
    expect(await outcome()).toMatchObject({ state: 'failed', lastStatus: 307, lastError: 'redirect_not_followed' });
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it('that never responds fails after the time-out', async () => {
    receiver.respond = () => undefined;
    const delivery = await outcome(receiver.url, { timeoutMs: 100, retryDelaysMs: [1] });
    expect(delivery).toMatchObject({ state: 'failed', attempts: 2, lastStatus: null, lastError: 'timeout' });
  });

  it('that resets the connection is retried', async () => {
    receiver.respond = (response) =>
      receiver.received.length === 1 ? response.destroy() : response.writeHead(200).end('ok');
    const delivery = await outcome();
    expect(delivery?.attemptLog).toMatchObject([{ status: 200 }, { status: null, error: 'connection_broken' }]);
  });

  it('that refuses connections is distinguished from one that does not speak HTTP', async () => {
    const silentServer = createTcpServer((socket) => socket.resume().end('SSH-2.0-x\r\n'));
    await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
    const { port } = silentServer.address() as { port: number };
    const strange = await outcome(`http://127.0.0.1:${port}/`, { retryDelaysMs: [1] });
    expect(strange).toMatchObject({ state: 'failed', lastError: 'connection_broken' });
    await new Promise((resolve) => silentServer.close(resolve));
    await test.stopWorkers();
    customer = await test.account();
    const gone = await outcome(`http://127.0.0.1:${port}/`, { retryDelaysMs: [1] });
    expect(gone).toMatchObject({ state: 'failed', lastError: 'not_connected: ECONNREFUSED' });
  });

  it('that responds with 410 is disabled, and the other endpoints get an event', async () => {
    const other = await WebhookReceiver.open();
    await customer.endpoint(receiver.url);
    await customer.endpoint(other.url, ['webhook.endpoint.disabled']);
    receiver.respond = (response) => response.writeHead(410).end();
    test.worker();
    await customer.emit();
    await other.until(1);
    await customer.emit();
    const deliveries = await customer.ended();
    expect(deliveries.map(({ state, lastStatus }) => [state, lastStatus])).toEqual([
      ['delivered', 204],
      ['failed', 410],
    ]);
    expect(JSON.parse(other.received[0]?.body ?? '')).toMatchObject({
      type: 'webhook.endpoint.disabled',
      data: { url: receiver.url, reason: 'gone' },
    });
    await other.close();
  });

  it('is retried only after its Retry-After', async () => {
    receiver.respond = (response) => response.writeHead(429, { 'retry-after': '3600' }).end();
    test.worker();
    await customer.emit(receiver.url);
    await receiver.until(1);
    const waiting = await eventually(async () => {
      const [delivery] = await customer.deliveries();
      expect(delivery?.lastStatus).toBe(429);
      return delivery;
    });
    const dueInMs = (waiting?.nextAttemptAt?.getTime() ?? 0) - Date.now();
    expect(dueInMs).toBeGreaterThan(3_500_000);
    expect(dueInMs).toBeLessThan(3_610_000);
  });

  it('whose response is endless, slow or cut off counts as delivered, and only its beginning is stored', async () => {
    receiver.respond = (response) => {
      const pour = () => {
        while (!response.destroyed && response.write('é'.repeat(10_000)));
      };
      response.writeHead(200);
      response.on('drain', pour);
      pour();
    };
    const endless = await outcome();
    expect(endless).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(endless?.attemptLog[0]?.responseBody).toBe('é'.repeat(4_000));

    for (const end of [() => undefined, (response: { destroy(): void }) => response.destroy()]) {
      customer = await test.account();
      receiver.respond = (response) => {
        response.writeHead(202);
        response.write('beginning\0', () => end(response));
      };
      await customer.emit(receiver.url);
      const [delivery] = await customer.ended();
      expect(delivery).toMatchObject({ state: 'delivered', lastStatus: 202 });
      expect(delivery?.attemptLog[0]?.responseBody).toBe('beginning�');
    }
  });

  it('that only fails for long is disabled, and its pending deliveries are cancelled', async () => {
    await customer.endpoint(receiver.url);
    receiver.respond = (response) => response.writeHead(503).end();
    const { metrics } = test.worker({ disableAfterMs: 0, retryDelaysMs: [1, 1, 1, 1, 1, 1] });
    await customer.emit();
    const [delivery] = await customer.ended();
    expect(delivery).toMatchObject({ state: 'cancelled', lastError: 'endpoint_disabled', attempts: 3 });
    expect(await metrics()).toContain(
      'gateway_webhook_endpoints_disabled_total{reason="only_failures",service="video-worker"} 1',
    );
  });

  it('on this machine is reached in development only', async () => {
    for (const url of [receiver.url, receiver.url.replace('http:', 'https:').replace(/:\d+/, ''), 'not an address']) {
      customer = await test.account();
      const delivery = await outcome(url, { allowInsecure: false });
      expect(delivery).toMatchObject({ state: 'failed', attempts: 1, lastError: 'address_unusable' });
      await test.stopWorkers();
    }
    expect(receiver.received).toEqual([]);
  });
});

describe('workers', () => {
  it('never make the same attempt twice', async () => {
    for (let count = 0; count < 4; count += 1) test.worker();
    const customers = await Promise.all(Array.from({ length: 5 }, () => test.account()));
    await Promise.all(customers.flatMap((one) => Array.from({ length: 20 }, () => one.emit(receiver.url))));
    const deliveries = (await Promise.all(customers.map((one) => one.ended()))).flat();
    expect(deliveries.map(({ attempts }) => attempts)).toEqual(Array(100).fill(1));
    expect(receiver.received).toHaveLength(100);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
  });

  it('limit concurrent attempts at one host, and still serve the others', async () => {
    const fast = await WebhookReceiver.open();
    const held: (() => void)[] = [];
    receiver.respond = (response) => held.push(() => response.writeHead(200).end());
    for (let count = 0; count < 3; count += 1) test.worker({ concurrency: 6, hostConcurrency: 2 });
    await Promise.all(Array.from({ length: 30 }, () => customer.emit(receiver.url)));
    await receiver.until(2);
    const other = await test.account();
    await Promise.all(Array.from({ length: 10 }, () => other.emit(fast.url)));
    await fast.until(10);
    await other.ended();
    expect(receiver.received).toHaveLength(2);
    receiver.respond = (response) => response.writeHead(200).end();
    for (const release of held) release();
    await customer.ended();
    expect(receiver.received).toHaveLength(30);
    expect(receiver.mostOpen).toBe(2);
    await fast.close();
  });

  it('claim past hundreds of deliveries to one address', async () => {
    receiver.respond = () => undefined;
    for (let count = 0; count < 10; count += 1) {
      await Promise.all(Array.from({ length: 30 }, () => customer.emit(receiver.url)));
    }
    const fast = await WebhookReceiver.open();
    const other = await test.account();
    await other.emit(fast.url);
    // Polls only after the test: a delivery that is not claimed at once would not be found.
    test.worker({ pollEveryMs: 60_000, timeoutMs: 60_000 });
    await other.ended();
    expect(receiver.received.length).toBeLessThanOrEqual(4);
    await receiver.close();
    await fast.close();
    receiver = await WebhookReceiver.open();
  });

  it('reach another account while four accounts with silent receivers fill all shared places', async () => {
    receiver.respond = () => undefined;
    const silent = [customer, ...(await Promise.all([test.account(), test.account(), test.account()]))];
    await Promise.all(silent.flatMap((one) => Array.from({ length: 40 }, () => one.emit(receiver.url))));
    const { worker } = test.worker({
      ...{ concurrency: 16, hostConcurrency: 4, accountConcurrency: 4 },
      ...{ pollEveryMs: 60_000, timeoutMs: 60_000 },
    });
    await receiver.until(12);
    const fast = await WebhookReceiver.open();
    const other = await test.account();
    await Promise.all(Array.from({ length: 5 }, () => other.emit(fast.url)));
    worker.kick();
    await other.ended();
    expect(receiver.received).toHaveLength(12);
    await receiver.close();
    await fast.close();
    receiver = await WebhookReceiver.open();
  });

  it('repeat an attempt of a dead worker under the same event id', async () => {
    await customer.emit(receiver.url);
    const limits = { limit: 10, leaseMs: 1, hostLimit: 10, accountLimit: 10 };
    const [lost] = await claimDeliveries(test.database, limits);
    test.worker();
    const [delivery] = await customer.ended();
    expect(delivery).toMatchObject({ id: lost?.id, state: 'delivered', attempts: 2 });
    expect(delivery?.attemptLog).toMatchObject([
      { number: 2, status: 204 },
      { number: 1, error: 'interrupted' },
    ]);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(lost?.event.id);
  });

  it('finish running attempts when they stop', async () => {
    const held = Promise.withResolvers<() => void>();
    receiver.respond = (response) => held.resolve(() => response.writeHead(200).end());
    const { worker } = test.worker();
    await customer.emit(receiver.url);
    const release = await held.promise;
    const stopped = worker.stop();
    release();
    await stopped;
    expect(await customer.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  it('measure the lag of events and count attempts by outcome', async () => {
    const { metrics } = test.worker();
    await customer.emit(receiver.url);
    await customer.ended();
    const text = await metrics();
    expect(text).toContain('gateway_webhook_lag_seconds_count{service="video-worker"} 1');
    expect(text).toContain(
      'gateway_webhook_attempts_total{outcome="delivered",reason="none",service="video-worker"} 1',
    );
  });
});
