import { type Customer, callJson, eventually, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

/** Every edge must apply a change within this time. */
const WITHIN = { withinMs: 5_000 };

const stack = await startTestStack({
  restrictServices: true,
  services: ['upstream-simulator', 'billing', 'sync-worker', 'accounts', 'api-edge'],
  env: { 'api-edge': { TRUSTED_PROXIES: '127.0.0.1' } },
});
afterAll(() => stack.stop());

let edges: readonly string[];
let customer: Customer;

beforeAll(async () => {
  edges = [stack.baseUrl, (await stack.system.add('api-edge')).url];
  customer = await stack.createCustomer({ creditUsd: '1' });
});

/** The status that each edge returns for a key. The proxy before the edges adds the address. */
const statusesOf = (key: string, address = '203.0.113.7'): Promise<readonly number[]> =>
  Promise.all(
    edges.map(async (edge) => {
      const headers = { 'x-forwarded-for': address };
      return (await fullResponse(edge, { method: 'GET', path: '/v1/models', key, headers })).status;
    }),
  );

/** Waits until every edge has cached this key. */
async function cachedKey(): Promise<{ readonly id: string; readonly key: string }> {
  const created = await customer.newKey();
  expect(await statusesOf(created.key)).toEqual([200, 200]);
  return created;
}

const expectStatus = (key: string, status: number): Promise<void> =>
  eventually(async () => expect(await statusesOf(key)).toEqual([status, status]), WITHIN);

describe('every edge learns within five seconds that a key', () => {
  it('is deleted', async () => {
    const { id, key } = await cachedKey();
    await customer.revokeKey(id);
    await expectStatus(key, 401);
  });

  it('is rotated, at once or after its grace period', async () => {
    const { id, key } = await cachedKey();
    const second = await customer.rotateKey(id, 3_600);
    expect(await statusesOf(second.key)).toEqual([200, 200]);
    expect(await statusesOf(key)).toEqual([200, 200]);
    const third = await customer.rotateKey(second.id, 0);
    await expectStatus(second.key, 401);
    expect(await statusesOf(third.key)).toEqual([200, 200]);
  });

  it('is restricted to other addresses', async () => {
    const { id, key } = await cachedKey();
    await customer.changeKey(id, { allowed_ips: ['2001:db8::/32'] });
    await expectStatus(key, 403);
  });

  it('belongs to an account that is suspended and then restored', async () => {
    const other = await stack.createCustomer();
    expect(await statusesOf(other.apiKey)).toEqual([200, 200]);
    await stack.accounts.changeAccount(other.accountId, { suspended: true });
    await expectStatus(other.apiKey, 403);
    await stack.accounts.changeAccount(other.accountId, { suspended: false });
    await expectStatus(other.apiKey, 200);
  });
});

describe('a key that expires', () => {
  it('works until its expiry and not after it', async () => {
    const expiresAtMs = Date.now() + 5_000;
    const { key } = await customer.newKey({ expires_at: new Date(expiresAtMs).toISOString() });
    let isOver = false;
    while (!isOver) {
      const startedAtMs = Date.now();
      const statuses = await statusesOf(key);
      const endedAtMs = Date.now();
      if (endedAtMs < expiresAtMs) expect(statuses).toEqual([200, 200]);
      if (startedAtMs >= expiresAtMs) expect(statuses).toEqual([401, 401]);
      isOver = startedAtMs >= expiresAtMs;
    }
  });

  it('passes its expiry on to the key that replaces it', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await customer.newKey({ expires_at });
    expect(await customer.rotateKey(id, 60)).toMatchObject({ expires_at });
  });
});

describe('a key with an address allow-list', () => {
  it.each([
    [['203.0.113.7'], '203.0.113.7', 200],
    [['203.0.113.7'], '::ffff:203.0.113.7', 200],
    [['203.0.113.0/24'], '203.0.113.200', 200],
    [['203.0.113.0/24'], '203.0.114.1', 403],
    [['::ffff:203.0.113.7'], '203.0.113.7', 200],
    [['2001:DB8::/32'], '2001:db8:0:0::1', 200],
    [['2001:db8::1'], '2001:0db8::0001', 200],
    [['2001:db8::1'], '2001:db8::2', 403],
    [['203.0.113.7'], '203.0.113.7:51234', 200],
    [['2001:db8::1'], '[2001:db8::1]:443', 200],
    [['203.0.113.7'], '203.0.113.7, 198.51.100.1:51234', 403],
    // The proxy appends to a header that the client has sent.
    [['203.0.113.7'], '203.0.113.7, 198.51.100.1', 403],
    [['203.0.113.7'], 'unknown', 403],
  ])('%j: a request from %s gets %i', async (allowed_ips, address, status) => {
    const { key } = await customer.newKey({ allowed_ips });
    expect(await statusesOf(key, address)).toEqual([status, status]);
  });

  it('ignores forwarded addresses where no proxy is configured', async () => {
    const { url } = await stack.system.add('api-edge', { TRUSTED_PROXIES: '' });
    const { key } = await customer.newKey({ allowed_ips: ['203.0.113.7'] });
    const request = { method: 'GET', path: '/v1/models', key, headers: { 'x-forwarded-for': '203.0.113.7' } };
    expect((await fullResponse(url, request)).status).toBe(403);
    const { key: own } = await customer.newKey({ allowed_ips: ['127.0.0.0/8', '::1'] });
    expect((await fullResponse(url, { ...request, key: own })).status).toBe(200);
  });
});

it('names the account of a key with the list of models, for the MCP server', async () => {
  const { headers } = await fullResponse(edges[0] ?? '', { method: 'GET', path: '/v1/models', key: customer.apiKey });
  expect(headers['openai-organization']).toBe(customer.accountId);
});

describe('the list of keys', () => {
  it('shows the last use and the spending of each key', async () => {
    const { id, key } = await customer.newKey();
    const body = { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Hello' }] };
    const response = await fullResponse(edges[1] ?? '', { key, body, headers: { 'x-forwarded-for': '203.0.113.7' } });
    const keys = `${stack.system.accountUrl}/account/keys`;
    await customer.receipt(String(response.headers['x-request-id']));
    const { data } = await callJson<{ data: { id: string; spent_usd: string; last_used_at: string }[] }>(keys, {
      token: customer.token,
    });
    const listed = data.find((one) => one.id === id);
    expect(listed).toMatchObject({ spent_usd: response.headers['x-cost-usd'] });
    expect(Math.abs(Date.parse(listed?.last_used_at ?? '') - Date.now())).toBeLessThan(10_000);
  });
});

describe('a key that keeps prompts and answers', () => {
  const user = [{ role: 'user', content: 'Hello 宝藏' }];
  const gemini = { contents: [{ role: 'user', parts: [{ text: 'Hello 宝藏' }] }] };
  const model = DEFAULT_MODEL;

  const look = (requestId: string, token = customer.token) =>
    fullResponse(stack.system.accountUrl, {
      method: 'GET',
      path: `/account/requests/${requestId}/contents`,
      headers: { authorization: `Bearer ${token}` },
    });

  it.each<[string, string, object]>([
    ['chat', '/v1/chat/completions', { model, messages: user }],
    ['a stream of chat', '/v1/chat/completions', { model, messages: user, stream: true }],
    ['messages', '/v1/messages', { model: 'cl-haiku-4-5', max_tokens: 64, messages: user }],
    ['a stream of messages', '/v1/messages', { model: 'cl-haiku-4-5', max_tokens: 64, messages: user, stream: true }],
    ['responses', '/v1/responses', { model, input: 'Hello 宝藏' }],
    ['Google’s API', `/v1beta/models/${model}:generateContent`, gemini],
    ['a stream of Google’s API', `/v1beta/models/${model}:streamGenerateContent?alt=sse`, gemini],
  ])('shows them byte for byte: %s', async (_which, path, body) => {
    const { key } = await customer.newKey({ keep_contents: true });
    const response = await fullResponse(edges[1] ?? '', { path, key, body });
    expect(response.status).toBe(200);
    const requestId = String(response.headers['x-request-id']);
    const kept = await eventually(async () => {
      const found = await look(requestId);
      expect(found.status).toBe(200);
      return JSON.parse(found.text);
    });
    expect(kept).toMatchObject({
      request: { content_type: 'application/json', text: JSON.stringify(body), is_truncated: false },
      response: { content_type: response.headers['content-type'], text: response.text, is_truncated: false },
      is_complete: true,
    });
  });

  it('shows nothing of another key, or to another account', async () => {
    const body = { model, messages: user };
    const [kept, other] = [await customer.newKey({ keep_contents: true }), await customer.newKey()];
    const send = async (key: string) =>
      String((await fullResponse(edges[0] ?? '', { key, body })).headers['x-request-id']);
    const [keptId, otherId] = [await send(kept.key), await send(other.key)];
    await eventually(async () => expect((await look(keptId)).status).toBe(200));
    const stranger = await stack.createCustomer();
    expect((await look(keptId, stranger.token)).status).toBe(404);
    expect((await look(keptId, stack.system.secrets.adminToken)).status).toBe(401);
    expect((await look(otherId)).status).toBe(404);
    await customer.revokeKey(kept.id);
    expect((await look(keptId)).status).toBe(404);
  });
});
