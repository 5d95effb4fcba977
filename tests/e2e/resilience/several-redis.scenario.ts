import { type Customer, eventually, type FullResponse, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LocalRedis, ServiceInstance } from '../../../infra/local/stack.mjs';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { beginRunningStream, expectWholeAndCharged, type RunningStream } from '../text/running-stream.js';
import { TaskRequests } from '../videos/task-requests.js';

/** The sweep sets a lost poll job again; the edge gives up a lost ticket. */
const QUICK = { POLL_FASTEST_MS: '100', POLL_SLOWEST_MS: '500', SWEEP_EVERY_MS: '500' };
const SEEDANCE = 'seedance-1.5-pro';
/** Reconnecting takes a second at most, and several on a busy machine. */
const BACK_WITHIN_MS = 30_000;

const stack = await startTestStack({ hasQueueRedis: true, env: { 'video-worker': QUICK } });
afterAll(() => stack.stop());

const money = stack.system.redis;
const queues = stack.system.queueRedis as LocalRedis;
const edge = stack.system.instance('api-edge');
const worker = stack.system.instance('sync-worker');
const videoWorker = stack.system.instance('video-worker');
const billing = stack.system.instance('billing');

const body = (text: string): object => ({ model: DEFAULT_MODEL, messages: [{ role: 'user', content: text }] });

let customer: Customer;

beforeEach(async () => {
  customer = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
});

const send = (content: object = body('Hello')): Promise<FullResponse> =>
  fullResponse(stack.baseUrl, { key: customer.apiKey, body: content });

const untilServed = (): Promise<void> =>
  eventually(async () => expect((await send()).status).toBe(200), { withinMs: BACK_WITHIN_MS, intervalMs: 100 });

const isReady = async (instance: ServiceInstance): Promise<boolean> => (await fetch(`${instance.url}/readyz`)).ok;

const beginStream = (): Promise<RunningStream> => beginRunningStream(stack, customer);

const expectCharged = (stream: RunningStream): Promise<void> =>
  expectWholeAndCharged(stack, customer, stream, BACK_WITHIN_MS);

async function expectRejectedForFree(): Promise<void> {
  const before = await customer.balance();
  const response = await send();
  expect(response.status).toBe(503);
  expect(response.json()).toMatchObject({ error: { code: 'service_unavailable' } });
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  await eventually(async () => expect(await customer.balance()).toEqual(before));
}

describe('queues in their own Redis', () => {
  it('store all queues there and none beside the money', async () => {
    expect((await send()).status).toBe(200);
    const taskRequests = await TaskRequests.open(stack, SEEDANCE);
    expect(
      await taskRequests.waitUntilEnded(await taskRequests.accepted(taskRequests.tag('task_seconds=1'))),
    ).toMatchObject({
      status: 'succeeded',
    });
    const keysOf = async (redis: LocalRedis, pattern: string): Promise<string> =>
      redis.command(`EVAL "return redis.status_reply(tostring(#redis.call('KEYS','${pattern}')))" 0`);
    expect(await keysOf(money, 'gw{*}:epoch')).toBe('+64');
    expect(await keysOf(queues, 'gw{*}:epoch')).toBe('+0');
    expect(await keysOf(queues, 'gw{*}:account:*')).toBe('+0');
    expect(await keysOf(queues, 'gw{sync-*')).not.toBe('+0');
    expect(await keysOf(money, 'gw{sync-*')).toBe('+0');
    expect(await keysOf(money, 'gw{video-*')).toBe('+0');
    expect(await keysOf(money, 'gw:poll-rate*')).toBe('+0');
    for (const instance of [edge, worker, videoWorker, billing]) expect(await isReady(instance)).toBe(true);
    await expectConsistentLedger(stack, [customer, taskRequests.customer]);
  });
});

describe('a killed queue Redis', () => {
  it('charges running requests correctly, rejects new ones, and then serves again', async () => {
    const stream = await beginStream();
    await queues.kill();
    await eventually(expectRejectedForFree);
    expect(await stack.redisMoney.openHolds()).toBeLessThanOrEqual(1);
    for (const instance of [edge, worker, videoWorker]) expect(await isReady(instance)).toBe(false);
    expect(await isReady(billing)).toBe(true);
    await expectCharged(stream);
    await queues.start();
    await untilServed();
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('a flushed queue Redis', () => {
  let taskRequests: TaskRequests;

  beforeAll(async () => {
    taskRequests = await TaskRequests.open(stack, SEEDANCE);
  });

  it.each([
    ['while it runs', () => queues.flush()],
    ['restarted without its disk', () => queues.restartEmpty()],
  ])('%s loses only poll jobs: each task ends and is paid once', async (_how, empty) => {
    const texts = Array.from({ length: 5 }, () => taskRequests.tag('task_seconds=3'));
    const ids = await Promise.all(texts.map((text) => taskRequests.accepted(text)));
    const [anyEpoch = ''] = await stack.redisMoney.keys('gw{*}:epoch');
    const epoch = await money.command(`GET ${anyEpoch}`);
    const stream = await beginStream();
    await empty();
    await untilServed();
    await expectCharged(stream);
    for (const id of ids) {
      const task = await taskRequests.waitUntilEnded(id, BACK_WITHIN_MS);
      expect(task).toMatchObject({ status: 'succeeded' });
      await taskRequests.receipt(task);
    }
    for (const text of texts) await taskRequests.onlyUpstreamTask(text);
    // The money is unaffected.
    expect(await money.command(`GET ${anyEpoch}`)).toBe(epoch);
    await expectConsistentLedger(stack, [customer, taskRequests.customer]);
  });
});

describe('an unavailable money Redis beside working queues', () => {
  it('rejects new requests for free and books running ones once it is back', async () => {
    const stream = await beginStream();
    await money.kill();
    await eventually(async () => expect(await isReady(edge)).toBe(false));
    expect((await send()).status).toBe(503);
    expect(await stream.last).toBe('[DONE]');
    await money.start();
    await untilServed();
    await expectCharged(stream);
    await expectConsistentLedger(stack, [customer]);
  });

  it('flushed: the escrow returns, a new epoch starts, and the queues continue', async () => {
    const stream = await beginStream();
    await money.restartEmpty();
    expect(await stream.last).toBe('[DONE]');
    await untilServed();
    await expectCharged(stream);
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('queues that move to another Redis', () => {
  it('reject no request while workers run on both', async () => {
    const moved = { QUEUE_REDIS_URL: money.url };
    for (const service of ['sync-worker', 'video-worker'] as const) await stack.system.add(service, moved);
    const newEdge = await stack.system.add('api-edge', moved);
    const taskRequests = await TaskRequests.open(stack, SEEDANCE);
    const id = await taskRequests.accepted(taskRequests.tag('task_seconds=2'));
    for (const address of [stack.baseUrl, newEdge.url, stack.baseUrl, newEdge.url]) {
      const response = await fullResponse(address, { key: customer.apiKey, body: body('Hello') });
      expect(response.status).toBe(200);
    }
    // The task's poll jobs stay on the old side; a worker on the new side finds it overdue.
    for (const instance of [worker, videoWorker]) await instance.stop();
    await queues.stop();
    expect(await taskRequests.waitUntilEnded(id, BACK_WITHIN_MS)).toMatchObject({ status: 'succeeded' });
    const last = await fullResponse(newEdge.url, { key: customer.apiKey, body: body('Hello') });
    expect(last.status).toBe(200);
    await expectConsistentLedger(stack, [customer, taskRequests.customer]);
  });
});
