import { shardOf } from '@gateway/contracts';
import { type Customer, eventually, type FullResponse, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LocalRedisCluster } from '../../../infra/local/redis-cluster.mjs';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { beginRunningStream, expectWholeAndCharged, type RunningStream } from '../text/running-stream.js';
import { TaskRequests } from '../videos/task-requests.js';

const SEEDANCE = 'seedance-1.5-pro';
/** A node fails after a second and its replica takes over in two; a busy machine needs much longer. */
const BACK_WITHIN_MS = 60_000;
/** Its slot is on the third node, which has a replica, as are those of the accounts below. */
const MONEY = 'gw{63.28}:epoch';

const quick = { POLL_FASTEST_MS: '100', POLL_SLOWEST_MS: '500', SWEEP_EVERY_MS: '500' };
const stack = await startTestStack({ hasRedisCluster: true, env: { 'video-worker': quick } });
afterAll(() => stack.stop());

const cluster = stack.system.redisCluster as LocalRedisCluster;

const body = (text: string): object => ({ model: DEFAULT_MODEL, messages: [{ role: 'user', content: text }] });

/** Creates a customer whose money is on one of the three nodes. */
async function customerOn(node: number): Promise<Customer> {
  for (;;) {
    const created = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
    if (Math.min(2, Math.floor(shardOf(created.accountId) / 21)) === node) return created;
  }
}

let customer: Customer;

beforeEach(async () => {
  customer = await customerOn(2);
});

const send = (
  content: object = body('Hello'),
  headers: Record<string, string> = {},
  { apiKey }: Customer = customer,
): Promise<FullResponse> => fullResponse(stack.baseUrl, { key: apiKey, body: content, headers });

const untilServed = (): Promise<void> =>
  eventually(async () => expect((await send()).status).toBe(200), { withinMs: BACK_WITHIN_MS, intervalMs: 100 });

const beginStream = (): Promise<RunningStream> => beginRunningStream(stack, customer);

const expectCharged = (stream: RunningStream): Promise<void> =>
  expectWholeAndCharged(stack, customer, stream, BACK_WITHIN_MS);

describe('a system on a cluster of three nodes', () => {
  it('serves every endpoint, charges once, and keeps a consistent ledger', async () => {
    await expectCharged(await beginStream());
    const [first, again] = [
      await send(body('Once'), { 'idempotency-key': 'k' }),
      await send(body('Once'), { 'idempotency-key': 'k' }),
    ];
    expect([first.status, again.status, again.text === first.text]).toEqual([200, 200, true]);
    const messages = {
      path: '/v1/messages',
      key: customer.apiKey,
      body: { model: 'cl-sonnet-4-6', max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] },
    };
    expect((await fullResponse(stack.baseUrl, messages)).status).toBe(200);
    const embeddings = { path: '/v1/embeddings', key: customer.apiKey, body: { model: 'vg-4', input: ['a', 'b'] } };
    expect((await fullResponse(stack.baseUrl, embeddings)).status).toBe(200);
    const taskRequests = await TaskRequests.open(stack, SEEDANCE);
    const task = await taskRequests.waitUntilEnded(await taskRequests.accepted(taskRequests.tag('task_seconds=2')));
    expect(task).toMatchObject({ status: 'succeeded' });
    await taskRequests.receipt(task);
    await expectConsistentLedger(stack, [customer, taskRequests.customer]);
  });

  it('rejects a revoked key on every edge at once, independent of the node', async () => {
    const other = await stack.system.add('api-edge');
    const { key, id } = await customer.newKey();
    const request = (address: string) => fullResponse(address, { key, body: body('Hello') });
    for (const address of [stack.baseUrl, other.url]) expect((await request(address)).status).toBe(200);
    await customer.revokeKey(id);
    // Immediately, not when the cached key expires after four seconds.
    for (const address of [stack.baseUrl, other.url]) {
      await eventually(async () => expect((await request(address)).status).toBe(401), { withinMs: 3_500 });
    }
    await other.stop();
    await expectConsistentLedger(stack, [customer]);
  });
});

describe('a cluster that loses a node', () => {
  it('fails the money over to its replica under load: each request is served and charged once', async () => {
    const [replica] = cluster.replicas;
    const streams = await Promise.all([beginStream(), beginStream(), beginStream()]);
    const responses = Promise.all(Array.from({ length: 20 }, () => send()));
    expect(await replica?.command('CLUSTER FAILOVER')).toBe('+OK');
    for (const { status } of await responses) expect([200, 503]).toContain(status);
    await eventually(async () => expect(await cluster.ownerOf(MONEY)).toBe(replica));
    for (const stream of streams) await expectCharged(stream);
    await untilServed();
    await expectConsistentLedger(stack, [customer]);
  });

  it("by a kill of the money's node: running requests end and are charged by its replica", async () => {
    const stream = await beginStream();
    const owner = await cluster.ownerOf(MONEY);
    await owner.command('WAIT 1 5000');
    await owner.kill();
    await expectCharged(stream);
    await untilServed();
    await owner.start();
    await cluster.untilServed();
    await expectConsistentLedger(stack, [customer]);
  });

  it('without a replica: its third of the accounts is rejected for free until it is back, and the others go on', async () => {
    // The queue of the model is on the first node.
    const lost = cluster.masters[1];
    const affected = await customerOn(1);
    for (const one of [affected, customer]) expect((await send(body('Hello'), {}, one)).status).toBe(200);
    await waitUntilSettled(stack, [affected, customer]);
    const before = await affected.balance();
    await lost?.kill();
    const rejected = await eventually(async () => {
      const response = await send(body('Hello'), {}, affected);
      if (response.status === 200) throw new Error('it is served still');
      return response;
    });
    expect([rejected.status, Number(rejected.headers['retry-after']) > 0]).toEqual([503, true]);
    for (let request = 0; request < 10; request += 1) expect((await send()).status).toBe(200);
    expect((await send(body('Hello'), {}, affected)).status).toBe(503);
    // Billing books the others meanwhile.
    await eventually(async () => expect(await stack.ledger.settlements(customer.accountId)).toHaveLength(11));
    await lost?.start();
    await cluster.untilServed();
    await eventually(async () => expect((await send(body('Hello'), {}, affected)).status).toBe(200), {
      withinMs: BACK_WITHIN_MS,
      intervalMs: 100,
    });
    const rows = await stack.ledger.settlements(affected.accountId);
    for (const { outcome, costNanoUsd } of rows) expect(costNanoUsd > 0n).toBe(outcome === 'completed');
    expect(await affected.balance()).not.toEqual(before);
    await expectConsistentLedger(stack, [affected, customer]);
  });
});
