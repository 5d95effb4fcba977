import { Agent } from 'node:http';
import type { ModelEntry } from '@gateway/contracts';
import {
  type Customer,
  callJson,
  type FullResponse,
  fullResponse,
  seededRandom,
  startTestStack,
} from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { user, VIDEO } from './costly-messages.js';
import { attack, endBatches, type HostileAccount, type Outcomes, REQUESTS_ANSWERED } from './hostile-requests.js';
import { BILLED_ENDPOINTS, findUncovered, sendInBatches, sendPoorly, sendToEach } from './quoted-requests.js';

jest.setTimeout(300_000);

const stack = await startTestStack();
await Promise.all([stack.system.add('batch-worker'), stack.system.add('mcp-server')]);
afterAll(() => stack.stop());

const unlimited = { rpm: 0, concurrency: 0 };
const connections = new Agent({ keepAlive: true, maxSockets: 200 });
afterAll(() => connections.destroy());

const send = (customer: Customer, body: object, path = '/v1/chat/completions'): Promise<FullResponse> =>
  fullResponse(stack.baseUrl, { path, key: customer.apiKey, body, agent: connections });

const countOf = (responses: readonly FullResponse[], status: number): number =>
  responses.filter((response) => response.status === status).length;

/** No settlement costs more than its hold, and no balance is below zero. */
async function expectCovered(customers: readonly Customer[]): Promise<void> {
  await waitUntilSettled(stack, customers);
  for (const customer of customers) {
    for (const { model, holdNanoUsd, costNanoUsd } of await stack.ledger.settlements(customer.accountId)) {
      expect({ model, excess: costNanoUsd > holdNanoUsd ? costNanoUsd - holdNanoUsd : 0n }).toEqual({
        model,
        excess: 0n,
      });
    }
    expect(Number((await customer.balance()).balance_usd)).toBeGreaterThanOrEqual(0);
  }
}

describe('an account with little money', () => {
  it('cannot buy forty videos by address with one dollar', async () => {
    const customer = await stack.createCustomer({ creditUsd: '1', limits: unlimited });
    const body = {
      model: 'gm-2.5-pro',
      max_tokens: 1,
      messages: user('{{sim prompt_tokens=1000000}} What happens?', VIDEO),
    };
    const responses = await Promise.all(Array.from({ length: 40 }, () => send(customer, body)));
    expect(countOf(responses, 402)).toBe(40);
    expect(responses[0]?.json()).toMatchObject({
      error: { code: 'insufficient_balance', message: expect.stringMatching(/\$2\.62.*by address.*by their size/) },
    });
    expect(await customer.balance()).toMatchObject({ balance_usd: '1.00', held_usd: '0.00' });

    await customer.topUp('5');
    const more = await Promise.all(Array.from({ length: 40 }, () => send(customer, body)));
    expect(countOf(more, 200)).toBeGreaterThanOrEqual(2);
    expect(countOf(more, 200) + countOf(more, 402)).toBe(40);
    await expectCovered([customer]);
    await expectConsistentLedger(stack, [customer]);
  });

  it('cannot buy twenty long thoughts with five dollars: each gets the cap that its hold pays for', async () => {
    const customer = await stack.createCustomer({ creditUsd: '5', limits: unlimited });
    const since = await stack.simulator.lastSeq();
    const body = { model: 'gp-5.4-pro', messages: user('{{sim reasoning_tokens=100000}} Think') };
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(customer, body)));
    const served = responses.filter(({ status }) => status === 200);
    expect(served.length).toBeGreaterThanOrEqual(4);
    expect(served.length + countOf(responses, 402)).toBe(20);

    const reported = served.map(({ headers }) =>
      Number(/max_completion_tokens=(\d+)/.exec(String(headers['x-gateway-filled']))?.[1]),
    );
    const sent = (await stack.simulator.requests(since)).map(({ body: text }) => JSON.parse(text).max_output_tokens);
    expect([...reported].sort()).toEqual([...sent].sort());
    for (const cap of reported) expect(cap).toBeGreaterThanOrEqual(4_096);
    await expectCovered([customer]);
    await expectConsistentLedger(stack, [customer]);
  });

  it('can still chat with a small model for five cents, and no cap is sent for a rich one', async () => {
    const poor = await stack.createCustomer({ creditUsd: '0.05' });
    const rich = await stack.createCustomer({ creditUsd: '100' });
    for (const model of ['gm-2.5-flash', 'qn3.8-omni-flash', 'gp-5.4-mini']) {
      const body = { model, messages: user('Hello') };
      const [short, whole] = [await send(poor, body), await send(rich, body)];
      expect([short.status, whole.status]).toEqual([200, 200]);
      expect(String(short.headers['x-gateway-filled'])).toMatch(/max_completion_tokens=\d+/);
      expect(String(whole.headers['x-gateway-filled'])).not.toContain('max_completion_tokens');
    }
    await expectCovered([poor, rich]);
  });

  it('stays within the spend cap of a key, which chooses the output cap too', async () => {
    const customer = await stack.createCustomer({ creditUsd: '100', limits: unlimited });
    const key = await customer.newKey({ spend_cap_usd: '1' });
    const body = { model: 'gp-5.4-pro', messages: user('{{sim reasoning_tokens=50000}} Think') };
    const send20 = Array.from({ length: 20 }, () => fullResponse(stack.baseUrl, { key: key.key, body }));
    const responses = await Promise.all(send20);
    expect(countOf(responses, 200)).toBe(1);
    expect(countOf(responses, 402)).toBe(19);
    await expectCovered([customer]);
    expect(Number((await customer.balance()).balance_usd)).toBeGreaterThanOrEqual(99);
  });
});

const HOSTILE_ACCOUNTS = 50;
const ACCOUNTS_AT_ONCE = 5;

describe('fifty hostile accounts of one dollar', () => {
  it('end no lower than zero, whatever they send at once, over sockets, in batches and by tools', async () => {
    const accounts = await Promise.all(
      Array.from({ length: HOSTILE_ACCOUNTS }, async (_, seed): Promise<HostileAccount> => {
        const customer = await stack.createCustomer({ creditUsd: '1', limits: unlimited });
        return { stack, customer, agent: connections, random: seededRandom(seed) };
      }),
    );
    const statuses: Outcomes = new Map();
    const ofLines: Outcomes = new Map();
    const startedAtMs = performance.now();
    for (let at = 0; at < accounts.length; at += ACCOUNTS_AT_ONCE) {
      await Promise.all(accounts.slice(at, at + ACCOUNTS_AT_ONCE).map((account) => attack(account, statuses)));
    }
    await Promise.all(accounts.map((account) => endBatches(account, ofLines)));
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const shown = [statuses, ofLines].map((outcomes) => JSON.stringify(Object.fromEntries(outcomes)));
    process.stdout.write(`${shown.join(', of lines ')} in ${seconds.toFixed(0)} s\n`);
    expect([...statuses.keys()].sort()).toEqual([200, 402]);
    expect([...statuses.values()].reduce((sum, count) => sum + count)).toBe(HOSTILE_ACCOUNTS * REQUESTS_ANSWERED);
    expect(statuses.get(200)).toBeGreaterThan(HOSTILE_ACCOUNTS);
    expect([...ofLines.keys()]).toEqual([200]);
    const customers = accounts.map(({ customer }) => customer);
    await expectCovered(customers);
    await expectConsistentLedger(stack, customers);
  });
});

describe('random requests of every model', () => {
  it('hold what their quotes say, and neither cost nor are billed more', async () => {
    const since = await stack.simulator.lastSeq();
    const viewer = await stack.createCustomer({ creditUsd: '1' });
    const { data: entries } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, {
      token: viewer.apiKey,
    });
    const startedAtMs = performance.now();
    const [direct, inBatches] = [await sendToEach(stack, entries, connections), await sendInBatches(stack, entries)];
    const poor = await sendPoorly(stack, entries, connections);
    const sent = [...direct, ...inBatches, ...poor.sent];
    expect(sent.flatMap(({ different }) => different)).toEqual([]);
    const { uncovered, billedEndpoints } = await findUncovered(stack, sent, since);
    expect(uncovered).toEqual([]);
    expect(billedEndpoints).toEqual(BILLED_ENDPOINTS);
    for (const { customer } of poor.sent)
      expect(Number((await customer.balance()).balance_usd)).toBeGreaterThanOrEqual(0);
    expect([poor.refused, poor.capped].every((count) => count > 0)).toBe(true);
    const requests = sent.reduce((sum, { accepted }) => sum + accepted.length, 0);
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const shown = `${poor.refused} refused and ${poor.capped} capped for little money`;
    process.stdout.write(`${requests} requests, ${shown}, in ${seconds.toFixed(0)} s\n`);
    await expectConsistentLedger(
      stack,
      sent.map(({ customer }) => customer),
    );
  });
});
