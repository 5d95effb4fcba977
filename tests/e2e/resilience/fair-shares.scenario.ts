import {
  type Customer,
  eventually,
  type FullResponse,
  fullResponse,
  type OpenResponse,
  openResponse,
  startTestStack,
} from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

const SLOTS = 32;
const TEST_SLOTS = 16;

const stack = await startTestStack({
  env: { 'sync-worker': { WORKER_CONCURRENCY: String(SLOTS), TEST_CONCURRENCY: String(TEST_SLOTS) } },
});
afterAll(() => stack.stop());

const unlimited = { rpm: 0, concurrency: 0 };
const open: OpenResponse[] = [];
let leaving = new AbortController();

/** Also ends requests that have no head yet. */
function leaveAll(): void {
  leaving.abort();
  leaving = new AbortController();
  for (const response of open.splice(0)) response.disconnect();
}
afterEach(leaveAll);

const bodyOf = (text: string, more: object = {}) => ({
  model: DEFAULT_MODEL,
  messages: [{ role: 'user', content: text }],
  max_completion_tokens: 100,
  ...more,
});
const brief = bodyOf('Be brief');
const endless = bodyOf('{{sim hang_after=2 chunks=8}} Begin', { stream: true });

const send = (key: string, body: object): Promise<FullResponse> => fullResponse(stack.baseUrl, { key, body });

/** Opens streams that never end by themselves, without waiting for their heads. */
function occupy(key: string, count: number): { readonly statuses: number[] } {
  const statuses: number[] = [];
  for (let number = 0; number < count; number += 1) {
    openResponse(stack.baseUrl, { key, body: endless }, leaving.signal).then(
      (response) => {
        statuses.push(response.status);
        open.push(response);
      },
      () => statuses.push(0),
    );
  }
  return { statuses };
}

/** The sum of a gauge of a worker over its labels. */
async function gauge(name: string): Promise<number> {
  const { url } = stack.system.instance('sync-worker');
  const { text } = await fullResponse(url, { method: 'GET', path: '/metrics' });
  const values = text.split('\n').filter((line) => line.startsWith(name) && !line.startsWith('#'));
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const until = (name: string, expected: number): Promise<void> =>
  eventually(async () => expect(await gauge(name)).toBe(expected), { withinMs: 60_000 });

/** Waiting tickets move: for an instant each is back in the queue. */
const untilWaiting = (least: number): Promise<void> =>
  eventually(async () => expect(await gauge('gateway_worker_waiting_tickets')).toBeGreaterThanOrEqual(least), {
    withinMs: 60_000,
  });

async function expectServed(customer: Customer, count: number): Promise<void> {
  const startedAtMs = Date.now();
  const responses = await Promise.all(Array.from({ length: count }, () => send(customer.apiKey, brief)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  process.stdout.write(`${count} requests of the other customer in ${Date.now() - startedAtMs} ms\n`);
}

describe('an account that sends far more slow requests than a worker has slots', () => {
  it('leaves a quarter of the slots to others, none of whose requests waits for its end', async () => {
    const hostile = await stack.createCustomer({ creditUsd: '20', limits: unlimited });
    const other = await stack.createCustomer({ creditUsd: '1' });
    await expectServed(other, 8);
    const { statuses } = occupy(hostile.apiKey, 120);
    await until('gateway_worker_running_tickets', SLOTS - SLOTS / 4);
    await untilWaiting(SLOTS);
    await expectServed(other, 8);
    await expectServed(other, 40);
    process.stdout.write(`${statuses.length} of 120 hostile requests had their head meanwhile\n`);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(SLOTS - SLOTS / 4);
    // What never got a slot is refused after the edge's patience, and costs nothing.
    await eventually(() => expect(statuses).toHaveLength(120), { withinMs: 60_000 });
    expect(statuses.filter((status) => status === 503)).toHaveLength(120 - (SLOTS - SLOTS / 4));
    leaveAll();
    await expectConsistentLedger(stack, [hostile, other]);
  });

  it('with the default limits holds no more than fifty requests, whatever it says of its keys', async () => {
    const hostile = await stack.createCustomer({ creditUsd: '20' });
    const keys = await Promise.all(Array.from({ length: 4 }, () => hostile.newKey({ concurrency: 100_000 })));
    const all = keys.map(({ key }) => occupy(key, 40));
    const statuses = () => all.flatMap((one) => one.statuses);
    await eventually(() => expect(statuses().filter((status) => status === 429)).toHaveLength(160 - 50), {
      withinMs: 60_000,
    });
    const other = await stack.createCustomer({ creditUsd: '1' });
    await expectServed(other, 8);
    leaveAll();
    await expectConsistentLedger(stack, [hostile, other]);
  });
});

describe('test keys', () => {
  it('flood only slots of their own', async () => {
    const strangers = await Promise.all([1, 2, 3].map(() => stack.createCustomer()));
    const keys = await Promise.all(strangers.map((stranger) => stranger.newKey({ test: true })));
    const other = await stack.createCustomer({ creditUsd: '1' });
    await expectServed(other, 8);
    for (const { key } of keys) occupy(key, 50);
    await until('gateway_worker_running_test_tickets', TEST_SLOTS);
    expect(await gauge('gateway_worker_running_tickets')).toBe(0);
    await expectServed(other, 8);
    await expectServed(other, 40);
    expect(await gauge('gateway_worker_running_test_tickets')).toBe(TEST_SLOTS);
    leaveAll();
    await expectConsistentLedger(stack, [other, ...strangers]);
  });
});

describe('a worker that dies while requests wait in it', () => {
  it('costs no request that had not begun: another worker answers them before their edge gives up', async () => {
    const second = await stack.system.add('sync-worker');
    const holders = await Promise.all([1, 2, 3, 4].map(() => stack.createCustomer({ creditUsd: '1' })));
    const other = await stack.createCustomer({ creditUsd: '1' });
    second.suspend();
    for (const { apiKey } of holders) occupy(apiKey, SLOTS / 4);
    await until('gateway_worker_running_tickets', SLOTS);
    const responses = Promise.all(Array.from({ length: 20 }, () => send(other.apiKey, brief)));
    await untilWaiting(15);
    const worker = stack.system.instance('sync-worker');
    const killed = worker.kill();
    second.resume();
    await killed;
    expect((await responses).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    await worker.start();
    await expectConsistentLedger(stack, [other, ...holders]);
    await second.stop();
  });
});
