import type { ModelEntry, RerankList } from '@gateway/contracts';
import { callJson, expectedCost, fullResponse, nanoOf, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '10' });
const { data } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, { token: customer.apiKey });
const models = data.filter(({ endpoints }) => endpoints.includes('/v1/rerank'));

const DOCUMENTS = ['Berlin is in Germany.', { text: 'Paris is the capital of France.' }, 'Cats sleep.'];
const QUERY = 'What is the capital of France?';

const rerank = (body: object, headers = {}) =>
  fullResponse(stack.baseUrl, { path: '/v1/rerank', key: customer.apiKey, body, headers });

describe.each(models.map((model) => [model.id, model] as const))('%s', (id, model) => {
  it('ranks documents, and costs what the vendor bills and what its quote covers', async () => {
    const body = { model: id, query: QUERY, documents: DOCUMENTS, top_n: 2, return_documents: true };
    const quote = await stack.accounts.quote(customer.apiKey, { endpoint: 'rerank', body });
    const since = await stack.simulator.lastSeq();
    const response = await rerank(body);
    expect({ status: response.status, text: response.text }).toMatchObject({ status: 200 });
    const list = response.json<RerankList>();
    expect(list).toMatchObject({ object: 'list', model: id, usage: { total_tokens: expect.any(Number) } });
    expect(list.results).toHaveLength(2);
    expect(list.results[0]).toMatchObject({ index: 1, document: { text: 'Paris is the capital of France.' } });
    expect(list.data[0]).toMatchObject({ index: 1, document: 'Paris is the capital of France.' });
    const [call] = await stack.simulator.closedJournal(since);
    if (call?.billed == null) throw new Error('the simulator billed nothing');
    const cost = nanoOf(String(response.headers['x-cost-usd']));
    expect(cost).toBe(expectedCost(model, call.billed));
    expect(quote).toMatchObject({ valid: true, model: id });
    expect(nanoOf(String((quote as { hold_usd: string }).hold_usd))).toBeGreaterThanOrEqual(cost);
  });
});

it("serves the path of Cohere's second version", async () => {
  const { status, text } = await fullResponse(stack.baseUrl, {
    path: '/v2/rerank',
    key: customer.apiKey,
    body: { model: 'rerank-2.5', query: QUERY, documents: DOCUMENTS },
  });
  expect({ status, text }).toMatchObject({ status: 200 });
});

describe('a refusal', () => {
  it.each([
    ['an empty document', { documents: ['a', ''] }, 'documents[1]'],
    ['a field of another vendor', { rank_fields: ['title'] }, 'rank_fields'],
    ['a model of another path', { model: 'vg-4' }, 'model'],
  ])('of %s names the field and is free', async (_what, more, param) => {
    const response = await rerank({ model: 'rerank-2.5', query: QUERY, documents: DOCUMENTS, ...more });
    expect(response.status).toBe(400);
    expect(response.json<{ error: object }>().error).toMatchObject({ param });
  });

  it("of the vendor is passed on, and a fault becomes the gateway's own", async () => {
    const refused = await rerank({ model: 'rerank-2.5', query: '{{sim status=400}}', documents: ['a'] });
    expect(refused.status).toBe(400);
    const failed = await rerank({ model: 'rerank-2.5', query: '{{sim status=500}}', documents: ['a'] });
    expect(failed.status).toBe(502);
  });
});

it('is charged once for each idempotency key', async () => {
  const body = { model: 'rerank-2.5-lite', query: QUERY, documents: DOCUMENTS };
  const headers = { 'idempotency-key': 'rank-1' };
  const first = await rerank(body, headers);
  const since = await stack.simulator.lastSeq();
  expect((await rerank(body, headers)).text).toBe(first.text);
  expect(await stack.simulator.journal(since)).toEqual([]);
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
