import { type Customer, eventually, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

jest.setTimeout(60_000);

const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'sync-worker', 'accounts', 'api-edge', 'api-edge'],
  restrictServices: true,
});
afterAll(() => stack.stop());

const EDGES = [stack.baseUrl, stack.system.instance('api-edge-2').url];

const ask = (customer: Customer, more: object = {}, edge = 0) =>
  fullResponse(EDGES[edge % EDGES.length] as string, {
    key: customer.apiKey,
    body: { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 20, ...more },
  });

const account = async (customer: Customer, method: string, path: string, body?: object) => {
  const { text } = await fullResponse(stack.system.accountUrl, {
    method,
    path: `/account/${path}`,
    headers: {
      authorization: `Bearer ${customer.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return JSON.parse(text);
};

const open = () => stack.createCustomer({ creditUsd: '5', limits: { rpm: 0, concurrency: 0 } });

describe('a hard cap', () => {
  it('of requests admits exactly its number of forty at once over two edges, and says when it resets', async () => {
    const customer = await open();
    await account(customer, 'PATCH', `keys/${customer.keyId}`, {
      caps: [{ period: 'day', measure: 'requests', limit: 7 }],
    });
    const responses = await Promise.all(Array.from({ length: 40 }, (_, edge) => ask(customer, {}, edge)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(7);
    const refused = responses.filter(({ status }) => status === 402);
    expect(refused).toHaveLength(33);
    const { error } = JSON.parse(refused[0]?.text ?? '{}');
    expect(error.code).toBe('insufficient_quota');
    const [cap] = (await account(customer, 'GET', 'keys')).data[0].caps;
    expect(error.message).toContain('The daily cap of this key is 7 requests, of which 7 requests are used');
    expect(error.message).toContain(`It resets at ${cap.resets_at}.`);
    await eventually(async () => {
      expect((await account(customer, 'GET', 'keys')).data[0].caps).toMatchObject([{ used: 7, limit: 7, hard: true }]);
    });
    await expectConsistentLedger(stack, [customer]);
  });

  it('of tokens shortens a response without an own limit, and then refuses', async () => {
    const customer = await open();
    await account(customer, 'PATCH', 'settings', { caps: [{ period: 'month', measure: 'tokens', limit: 5_000 }] });
    const first = await ask(customer, { max_tokens: undefined });
    expect([first.status, first.headers['x-gateway-filled']]).toEqual([200, expect.stringContaining('max_')]);
    expect((await ask(customer, { max_tokens: 5_000 })).status).toBe(402);
    expect((await ask(customer)).status).toBe(200);
  });

  it('that is set later counts what was spent, and counts on after Redis has lost its data', async () => {
    const customer = await open();
    expect((await ask(customer)).status).toBe(200);
    await waitUntilSettled(stack, [customer]);
    await account(customer, 'PATCH', 'settings', { caps: [{ period: 'life', measure: 'requests', limit: 2 }] });
    expect((await ask(customer)).status).toBe(200);
    await waitUntilSettled(stack, [customer]);
    expect((await ask(customer)).status).toBe(402);
    // The edges read the key again: until then they may know the count of some seconds ago.
    await account(customer, 'PATCH', 'settings', { time_zone: 'UTC' });
    for (const edge of [0, 1]) expect((await ask(customer, {}, edge)).status).toBe(402);
    await stack.system.redis.flush();
    await eventually(async () => expect((await ask(customer)).status).toBe(402), { withinMs: 20_000 });
    await account(customer, 'PATCH', 'settings', { caps: [] });
    await eventually(async () => expect((await ask(customer)).status).toBe(200));
    await expectConsistentLedger(stack, [customer]);
  });
});

it('a soft cap refuses nothing, and sends one event', async () => {
  const customer = await open();
  const soft = { period: 'week', measure: 'requests', limit: 1, hard: false };
  await account(customer, 'PATCH', `keys/${customer.keyId}`, { caps: [soft] });
  for (let index = 0; index < 3; index += 1) expect((await ask(customer)).status).toBe(200);
  await waitUntilSettled(stack, [customer]);
  const reached = (await stack.accounts.events(customer.token)).filter(({ type }) => type === 'cap.reached');
  expect(reached).toMatchObject([
    { subject: customer.keyId, data: { period: 'week', measure: 'requests', limit: '1' } },
  ]);
});
