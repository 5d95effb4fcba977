import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { openDatabase } from '@gateway/postgres';
import {
  type Customer,
  emitEvent,
  eventually,
  type ReceivedWebhook,
  startTestStack,
  WebhookReceiver,
} from '@gateway/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { TaskRequests } from './task-requests.js';

/** Ten seconds more than a worker waits before it takes over the deliveries of a dead one. */
const TIMEOUT_MS = 3_000;
const TAKE_OVER = { withinMs: 60_000 };

const WEBHOOK_SECRET_KEYS = randomBytes(32).toString('base64');
const stack = await startTestStack({
  restrictServices: true,
  services: ['upstream-simulator', 'billing', 'video-worker', 'video-worker', 'sync-worker', 'accounts', 'api-edge'],
  env: {
    accounts: { WEBHOOK_SECRET_KEYS },
    'video-worker': {
      WEBHOOK_SECRET_KEYS,
      WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
      WEBHOOK_RETRY_DELAYS_MS: '[50, 100, 200, 400]',
      WEBHOOK_DISABLE_AFTER_MS: '1',
      POLL_FASTEST_MS: '100',
      POLL_SLOWEST_MS: '300',
    },
  },
});
afterAll(() => stack.stop());

const database = openDatabase({
  databaseUrl: stack.system.databaseUrl,
  poolSize: 2,
  applicationName: 'scenario',
  onError: () => undefined,
});
afterAll(() => database.close());

const workers = ['video-worker', 'video-worker-2'].map((name) => stack.system.instance(name));
const { accounts } = stack;

let customer: Customer;
let receiver: WebhookReceiver;

beforeEach(async () => {
  for (const worker of workers) if (!worker.isRunning) await worker.start();
  customer = await stack.createCustomer();
  receiver = await WebhookReceiver.open();
});

afterEach(() => receiver.close());

/** Emits an event as a task's change does, in its own statement. */
const emit = (type: 'video.task.running' | 'video.task.succeeded', subject: string, webhookUrl: string | null = null) =>
  emitEvent(database, {
    accountId: customer.accountId,
    type,
    subject,
    data: { id: subject, status: type.slice('video.task.'.length) },
    webhookUrl,
    isTest: false,
  });

const idOf = ({ headers }: ReceivedWebhook) => headers['webhook-id'];
const deliveries = () => accounts.webhookDeliveries(customer.token);

const allEnded = (options = {}) =>
  eventually(async () => {
    const found = await deliveries();
    expect(found.filter(({ state }) => state === 'pending')).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
    return found;
  }, options);

const respondOk = (response: ServerResponse) => response.writeHead(200).end('thanks');

describe('a customer with webhooks', () => {
  it('creates an endpoint, tests it, and verifies its deliveries with the official library', async () => {
    const { id, secret = '' } = await accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    const { event_id, delivery_id } = await accounts.testWebhookEndpoint(customer.token, id);
    await receiver.until(1);
    const [received] = receiver.received as [ReceivedWebhook];
    expect(new Webhook(secret).verify(received.body, received.headers)).toMatchObject({
      type: 'webhook.test',
      data: { endpoint: id },
    });
    expect(idOf(received)).toBe(event_id);
    expect(await allEnded()).toMatchObject([{ id: delivery_id, state: 'delivered', attempts: 1 }]);
    expect(await accounts.events(customer.token)).toMatchObject([{ id: event_id, type: 'webhook.test' }]);
  });

  it('receives each event once from several workers', async () => {
    const { secret = '' } = await accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    const tasks = Array.from({ length: 60 }, (_, index) => `task_${index}`);
    await Promise.all(tasks.flatMap((task) => [emit('video.task.running', task), emit('video.task.succeeded', task)]));
    const ended = await allEnded();
    expect(ended.map(({ state, attempts }) => [state, attempts])).toEqual(tasks.map(() => ['delivered', 1]));
    const bodies = receiver.received.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
    expect(bodies.map((body) => (body as { data: { id: string } }).data.id).sort()).toEqual([...tasks].sort());
  });

  it('rotates the secret under load: both secrets verify, then only the new one', async () => {
    const { secret: first = '' } = await accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    const { secret: second } = await accounts.rotateWebhookSecret(customer.token, 3_600);
    await emit('video.task.succeeded', 'task_between');
    await receiver.until(1);
    const { secret: third } = await accounts.rotateWebhookSecret(customer.token, 0);
    await emit('video.task.succeeded', 'task_after');
    await receiver.until(2);
    const [between, after] = receiver.received as [ReceivedWebhook, ReceivedWebhook];
    for (const secret of [first, second]) new Webhook(secret).verify(between.body, between.headers);
    new Webhook(third).verify(after.body, after.headers);
    for (const secret of [first, second]) {
      expect(() => new Webhook(secret).verify(after.body, after.headers)).toThrow('No matching signature');
    }
  });

  it('recovers missed events by a replay with the same id, or from the event list', async () => {
    const { id, secret = '' } = await accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    receiver.respond = (response) => response.writeHead(500).end('down');
    await emit('video.task.succeeded', 'task_missed');
    // Five failures do not disable an endpoint: ten do.
    const [missed] = await allEnded();
    expect(missed).toMatchObject({
      endpoint_id: id,
      state: 'failed',
      attempts: 5,
      attempt_log: [{ status: 500 }, {}, {}, {}, {}],
    });
    receiver.respond = respondOk;
    await accounts.replayWebhookDelivery(customer.token, missed?.id ?? '');
    expect(await allEnded()).toMatchObject([{ state: 'delivered', attempts: 6 }]);
    expect(new Set(receiver.received.map(idOf))).toEqual(new Set([missed?.event.id]));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
    expect(await accounts.events(customer.token)).toMatchObject([
      { id: missed?.event.id, data: { id: 'task_missed' } },
    ]);
    expect(await accounts.events(customer.token, missed?.event.id)).toEqual([]);
  });

  it('replays everything that a broken and disabled endpoint missed, once', async () => {
    const from = new Date(Date.now() - 60_000).toISOString();
    const { id, secret = '' } = await accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    const tasks = Array.from({ length: 40 }, (_, index) => `task_${index}`);
    receiver.respond = (response) => response.writeHead(500).end('down');
    for (const task of tasks.slice(0, 20)) await emit('video.task.succeeded', task);
    await eventually(async () => {
      expect(await accounts.webhookEndpoints(customer.token)).toMatchObject([{ id, disabled_reason: 'only_failures' }]);
    });
    for (const task of tasks.slice(20)) await emit('video.task.succeeded', task);
    await allEnded();
    const failedCount = receiver.received.length;
    receiver.respond = respondOk;
    const request = { from, endpoint_id: id, per_second: 100 };
    await expect(accounts.replayWebhooks(customer.token, request)).rejects.toMatchObject({ status: 400 });

    await accounts.enableWebhookEndpoint(customer.token, id);
    const done = await Promise.all([
      accounts.replayWebhooks(customer.token, request),
      accounts.replayWebhooksOf(customer.accountId, request),
      accounts.replayWebhooks(customer.token, request),
    ]);
    expect(done.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(40);
    const ended = await allEnded();
    expect(ended.map(({ state }) => state)).toEqual(Array(40).fill('delivered'));
    const sent = receiver.received.slice(failedCount);
    const bodies = sent.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
    expect(bodies.map((body) => (body as { data: { id: string } }).data.id).sort()).toEqual([...tasks].sort());
    const received = (await accounts.events(customer.token)).filter(({ type }) => type === 'video.task.succeeded');
    expect(sent.map(idOf).sort()).toEqual(received.map((event) => event.id).sort());
    expect(await accounts.replayWebhooks(customer.token, request)).toMatchObject({ replayed: 0 });
  });

  it('has an endpoint disabled that only failed, and is notified at another one', async () => {
    const other = await WebhookReceiver.open();
    const broken = await accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    await accounts.createWebhookEndpoint(customer.token, { url: other.url, events: ['webhook.endpoint.disabled'] });
    receiver.respond = (response) => response.destroy();
    for (const task of ['task_1', 'task_2', 'task_3']) await emit('video.task.succeeded', task);
    await other.until(1);
    expect(JSON.parse(other.received[0]?.body ?? '')).toMatchObject({
      data: { id: broken.id, reason: 'only_failures' },
    });
    expect(await accounts.webhookEndpoints(customer.token)).toMatchObject([
      { id: broken.id, enabled: false, disabled_reason: 'only_failures' },
      { enabled: true },
    ]);
    await allEnded();
    await other.close();
  });
});

describe('a video task', () => {
  const VIDEO = 'wn2.7-t2v';
  const typesAt = ({ received }: WebhookReceiver) => received.map(({ body }) => JSON.parse(body).type);

  it.each([
    ['task_seconds=1', 'succeeded'],
    ['task_seconds=1 task_fail=DataInspectionFailed', 'failed'],
  ])(
    'that has {{sim %s}} notifies its own address of its end and endpoints of every step',
    async (directives, status) => {
      const taskRequests = await TaskRequests.open(stack, VIDEO);
      const endpoint = { url: receiver.url, events: ['*'] };
      const { secret = '' } = await accounts.createWebhookEndpoint(taskRequests.customer.token, endpoint);
      const own = await WebhookReceiver.open();
      const id = await taskRequests.accepted(taskRequests.tag(directives), { webhook_url: own.url });
      const task = await taskRequests.waitUntilEnded(id);
      await eventually(() => expect(typesAt(receiver)).toContain(`video.task.${status}`));
      await own.until(1);
      const [received] = own.received as [ReceivedWebhook];
      expect(new Webhook(secret).verify(received.body, received.headers)).toEqual({
        id: received.headers['webhook-id'],
        object: 'event',
        created_at: expect.any(Number),
        type: `video.task.${status}`,
        timestamp: expect.any(String),
        data: task,
      });
      expect(new Set(typesAt(receiver))).toEqual(
        new Set(['video.task.queued', 'video.task.running', `video.task.${status}`]),
      );
      expect(receiver.received.map(idOf)).toContain(idOf(received));
      expect(typesAt(own)).toEqual([`video.task.${status}`]);
      await own.close();
      await expectConsistentLedger(stack, [taskRequests.customer]);
    },
  );

  it('of a test key notifies test endpoints only', async () => {
    const taskRequests = await TaskRequests.open(stack, VIDEO, { isTest: true });
    const live = await WebhookReceiver.open();
    await accounts.createWebhookEndpoint(taskRequests.customer.token, { url: live.url, events: ['*'] });
    await accounts.createWebhookEndpoint(taskRequests.customer.token, { url: receiver.url, test: true });
    const id = await taskRequests.accepted(taskRequests.tag('task_seconds=1'));
    await taskRequests.waitUntilEnded(id);
    await receiver.until(1);
    expect(typesAt(receiver)).toEqual(['video.task.succeeded']);
    const found = await accounts.webhookDeliveries(taskRequests.customer.token);
    expect(found).toHaveLength(1);
    expect(live.received).toEqual([]);
    await live.close();
  });

  it.each(['ftp://example.com/', 'https://user:secret@example.com/', 'example.com', ''])(
    'is rejected with %j as its address',
    async (webhook_url) => {
      const taskRequests = await TaskRequests.open(stack, VIDEO);
      const text = taskRequests.tag();
      const rejected = await taskRequests.submit(text, { webhook_url });
      expect([rejected.status, rejected.json<{ code: string; message: string }>().code]).toEqual([
        400,
        'InvalidParameter',
      ]);
      expect(rejected.text).toContain('webhook_url');
      expect(await taskRequests.upstreamTasks(text)).toEqual([]);
    },
  );
});

describe('a failure of the gateway', () => {
  it('repeats one delivery at most: a worker killed between sending and recording', async () => {
    const { secret = '' } = await accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    for (const worker of workers.slice(1)) await worker.stop();
    const held: ServerResponse[] = [];
    receiver.respond = (response) => held.push(response);
    await emit('video.task.succeeded', 'task_a');
    await receiver.until(1);
    await workers[0]?.kill();
    for (const response of held) response.destroy();
    receiver.respond = respondOk;
    await workers[1]?.start();
    const [delivery] = await allEnded(TAKE_OVER);
    expect(delivery).toMatchObject({
      state: 'delivered',
      attempts: 2,
      attempt_log: [
        { number: 2, status: 200 },
        { number: 1, error: 'interrupted' },
      ],
    });
    expect(receiver.received.map(idOf)).toEqual([delivery?.event.id, delivery?.event.id]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
  });

  it('loses no event while workers are down, or Redis is flushed or down', async () => {
    await accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    for (const worker of workers) await worker.stop();
    await emit('video.task.succeeded', 'task_unattended');
    for (const worker of workers) await worker.start();
    await stack.system.redis.flush();
    await emit('video.task.succeeded', 'task_flushed');
    await allEnded();
    await stack.system.redis.kill();
    await emit('video.task.succeeded', 'task_without_redis');
    await allEnded();
    await stack.system.redis.start();
    const received = receiver.received.map(({ body }) => JSON.parse(body).data.id);
    expect(received.sort()).toEqual(['task_flushed', 'task_unattended', 'task_without_redis']);
  });

  it('interrupts no delivery during a rollout of the workers', async () => {
    await accounts.createWebhookEndpoint(customer.token, { url: receiver.url });
    receiver.respond = (response) => setTimeout(() => respondOk(response), 200);
    const emitted = Array.from({ length: 20 }, (_, index) => emit('video.task.succeeded', `task_${index}`));
    await receiver.until(2);
    for (const worker of workers) expect(await worker.stop()).toMatchObject({ exit: 'code 0', isForced: false });
    for (const worker of workers) await worker.start();
    await Promise.all(emitted);
    const ended = await allEnded();
    expect(ended.map(({ state, attempts }) => [state, attempts])).toEqual(Array(20).fill(['delivered', 1]));
    expect(receiver.received).toHaveLength(20);
  });
});

describe('a slow receiver', () => {
  it('delays only its own deliveries', async () => {
    const slow = receiver;
    slow.respond = () => undefined;
    const [first, other] = [customer, await stack.createCustomer()];
    for (let count = 0; count < 40; count += 1) await emit('video.task.succeeded', `task_${count}`, slow.url);
    await slow.until(4);
    const fast = await WebhookReceiver.open();
    customer = other;
    for (let count = 0; count < 20; count += 1) await emit('video.task.succeeded', `task_${count}`, fast.url);
    await fast.until(20);
    // Forty deliveries of seconds each, four at a time, are far from done.
    expect(slow.received.length).toBeLessThan(40);
    await allEnded();
    customer = first;
    slow.respond = respondOk;
    await allEnded(TAKE_OVER);
    expect(slow.mostOpen).toBeLessThanOrEqual(4);
    await fast.close();
  });
});
