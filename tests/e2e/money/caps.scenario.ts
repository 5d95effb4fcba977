import { type Customer, eventually, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { mailLink } from '../console/mail-links.js';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

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
    await eventually(async () => expect((await ask(customer)).status).toBe(402), { withinMs: 60_000 });
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

/** Costs exactly what it holds: $0.02. */
const IMAGE_MODEL = 'grok-imagine-image';

/** A 503 asks the client to come again: admission opens, or another request fetches money. */
const image = (key: string, edge = 0): Promise<number> =>
  eventually(
    async () => {
      const body = { model: IMAGE_MODEL, prompt: 'A kite' };
      const response = await fullResponse(EDGES[edge % EDGES.length] as string, {
        path: '/v1/images/generations',
        key,
        body,
      });
      expect([200, 402]).toContain(response.status);
      return response.status;
    },
    { withinMs: 60_000 },
  );

const successes = async (statuses: readonly Promise<number>[]): Promise<number> =>
  (await Promise.all(statuses)).filter((status) => status === 200).length;

/** Invites a person, who joins with a password. */
async function join(customer: Customer, email: string): Promise<void> {
  await account(customer, 'POST', 'invitations', { email, role: 'developer' });
  const token = (await mailLink(stack, 'invitation', email)).split('token=')[1];
  const joined = await account(customer, 'POST', 'invitations/accept', {
    token,
    password: 'correct horse',
    name: email,
  });
  expect(joined.person.email).toBe(email);
}

describe('a cap in dollars', () => {
  it('admits exactly its amount of forty members at once, and counts on when a price changes', async () => {
    const customer = await open();
    await Promise.all(Array.from({ length: 40 }, (_, number) => join(customer, `member-${number}@example.com`)));
    const members: { id: string; role: string }[] = (await account(customer, 'GET', 'members')).data;
    const developers = members.filter(({ role }) => role === 'developer');
    expect(developers).toHaveLength(40);
    const keys: string[] = await Promise.all(
      developers.map(async ({ id }) => (await account(customer, 'POST', 'keys', { name: id, member_id: id })).key),
    );
    const cap = (limit: string) => ({ caps: [{ period: 'month', measure: 'usd', limit }] });
    await account(customer, 'PATCH', 'settings', cap('0.24'));
    expect(await successes(keys.map(image))).toBe(12);
    await waitUntilSettled(stack, [customer]);

    const [key = ''] = keys;
    const shownPrices = () =>
      Promise.all(
        EDGES.map(async (edge) => {
          const path = `/v1/models/${IMAGE_MODEL}`;
          return (await fullResponse(edge, { method: 'GET', path, key })).text;
        }),
      );
    const before = await shownPrices();
    const price = { model: IMAGE_MODEL, per_million: { image: '40000', input_image: '2000' }, reason: 'test' };
    await stack.accounts.addPrice(customer.accountId, price);
    await account(customer, 'PATCH', 'settings', cap('0.30'));
    await eventually(async () => {
      const after = await shownPrices();
      for (const [edge, text] of after.entries()) expect(text).not.toBe(before[edge]);
    });
    // Three of the old price are left, and one of the new.
    expect(await successes(Array.from({ length: 6 }, (_, edge) => image(key, edge)))).toBe(1);
    await waitUntilSettled(stack, [customer]);
    expect((await account(customer, 'GET', 'settings')).caps).toMatchObject([{ used: '0.28', limit: '0.30' }]);
    await expectConsistentLedger(stack, [customer]);
  });

  it('of a parent and its child stays exact after Redis has lost its data', async () => {
    const customer = await open();
    const parent = await customer.newKey({ spend_cap_usd: '0.20' });
    const child = await account(customer, 'POST', `keys/${parent.id}/children`, { name: 'agent', budget_usd: '0.08' });
    expect(await successes([image(parent.key), image(parent.key, 1), image(child.key)])).toBe(3);
    await waitUntilSettled(stack, [customer]);
    for (const { id } of [parent, child]) await account(customer, 'PATCH', `keys/${id}`, { name: 'read again' });
    await stack.system.redis.flush();
    await eventually(async () => expect(await image(parent.key)).toBe(200));
    const burst = (key: string) => successes(Array.from({ length: 20 }, (_, edge) => image(key, edge)));
    expect(await Promise.all([burst(parent.key), burst(child.key)])).toEqual([3, 3]);
    await waitUntilSettled(stack, [customer]);
    const tree = await account(customer, 'GET', `keys/${parent.id}/tree`);
    expect(tree).toMatchObject({ spent_usd: '0.12', reserved_usd: '0.08', tree_spent_usd: '0.20', tree_requests: 10 });
    await expectConsistentLedger(stack, [customer]);
  });
});
