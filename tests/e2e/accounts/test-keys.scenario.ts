import { fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

/** Has no credit and is never charged. */
const customer = await stack.createCustomer();
const { key } = await customer.newKey({ test: true });
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: key, maxRetries: 0 });

const messages = [{ role: 'user' as const, content: 'Say something short' }];

/** A request for each endpoint, with the vendor that serves it for a live key. */
const ENDPOINTS = [
  ['/v1/chat/completions', { model: DEFAULT_MODEL, messages }],
  ['/v1/messages', { model: 'cl-sonnet-4-6', max_tokens: 50, messages }],
  ['/v1/messages/count_tokens', { model: 'cl-sonnet-4-6', messages }],
  ['/v1/embeddings', { model: 'text-embedding-v4', input: ['one', 'two'] }],
] as const;

describe('a test key of an account without money', () => {
  it('has its own prefix', () => {
    expect(key).toMatch(/^sk-test-[0-9A-Za-z]{40}$/);
  });

  it('serves the official client for free and marks the response as a test', async () => {
    const since = await stack.simulator.lastSeq();
    const { data, response } = await client.chat.completions.create({ model: DEFAULT_MODEL, messages }).withResponse();
    expect(data.choices[0]?.message.content).toMatch(/./);
    expect(response.headers.get('x-gateway-test')).toBe('true');
    expect(Number(response.headers.get('x-cost-usd'))).toBe(0);
    const [call] = await stack.simulator.closedJournal(since);
    expect(call).toMatchObject({ vendor: 'openai', status: 200, credential: 'test-key' });
    await waitUntilSettled(stack, [customer]);
    const receipt = await customer.receipt(response.headers.get('x-request-id') ?? '');
    expect(receipt).toMatchObject({ outcome: 'completed', cost_usd: '0.00' });
    const settlement = await stack.ledger.settlement(customer.accountId, response.headers.get('x-request-id') ?? '');
    expect(settlement).toMatchObject({ holdNanoUsd: 0n, costNanoUsd: 0n, chargedNanoUsd: 0n });
    expect(settlement?.units).toMatchObject({ output_token: expect.any(Number) });
    expect(await customer.balance()).toMatchObject({ balance_usd: '0.00', available_usd: '0.00' });
  });

  it('streams', async () => {
    const body = { model: DEFAULT_MODEL, messages, stream: true };
    const response = await fullResponse(stack.baseUrl, { key, body, headers: { 'x-include-cost': 'true' } });
    expect(response.status).toBe(200);
    expect(response.headers['x-gateway-test']).toBe('true');
    expect(response.text).toContain('data: [DONE]');
    expect(response.text).toContain(': cost cost_usd=0.00');
  });

  it.each(ENDPOINTS)('is served on %s by the test channel only', async (path, body) => {
    const since = await stack.simulator.lastSeq();
    const response = await fullResponse(stack.baseUrl, { key, path, body });
    expect([response.status, response.headers['x-gateway-test']]).toEqual([200, 'true']);
    const calls = await stack.simulator.closedJournal(since);
    expect(new Set(calls.map(({ credential }) => credential))).toEqual(new Set(['test-key']));
  });

  it('is rejected like any key, with the test header and for free', async () => {
    const wrong = await fullResponse(stack.baseUrl, { key, body: { model: DEFAULT_MODEL, messages: [] } });
    expect([wrong.status, wrong.headers['x-gateway-test']]).toEqual([400, 'true']);
    await stack.simulator.fault({ vendor: 'openai', status: 500 });
    const failing = await fullResponse(stack.baseUrl, { key, body: { model: DEFAULT_MODEL, messages } });
    expect([failing.status, failing.headers['x-gateway-test']]).toEqual([502, 'true']);
  });
});

describe('a live key of the same account', () => {
  it('needs money and uses the real channel', async () => {
    const since = await stack.simulator.lastSeq();
    const body = { model: DEFAULT_MODEL, messages };
    const poor = await fullResponse(stack.baseUrl, { key: customer.apiKey, body });
    expect([poor.status, poor.headers['x-gateway-test']]).toEqual([402, undefined]);
    await customer.topUp('1');
    const paid = await fullResponse(stack.baseUrl, { key: customer.apiKey, body });
    expect(paid.status).toBe(200);
    expect(Number(paid.headers['x-cost-usd'])).toBeGreaterThan(0);
    const calls = await stack.simulator.closedJournal(since);
    expect(calls.map(({ credential }) => credential)).toEqual(['simulator']);
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
