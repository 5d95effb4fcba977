import type { EmbeddingList, ModelEntry } from '@gateway/contracts';
import { callJson, expectedCost, nanoOf, startTestStack } from '@gateway/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectConsistentLedger, waitUntilSettled } from '../support/expect-consistent-ledger.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
afterEach(() => stack.simulator.clearFaults());

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
/** The official client: only its address and its key are changed. */
const client = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: customer.apiKey, maxRetries: 0 });
const { embeddings } = client;

const models = ((await client.models.list()).data as unknown as ModelEntry[]).filter(({ endpoints }) =>
  endpoints.includes('/v1/embeddings'),
);
const modelOf = (id: string): ModelEntry => models.find((model) => model.id === id) as ModelEntry;

/** Default, shortest, longest and an invalid number of dimensions. */
const LENGTHS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'text-embedding-v4': [1_024, 64, 2_048, 100],
  'text-embedding-004': [768, 128, 768, 3_072],
  'gm-embedding-001': [3_072, 128, 3_072, 4_096],
  'gm-embedding-2-preview': [3_072, 128, 3_072, 64],
  'vg-4-large': [1_024, 256, 2_048, 1_025],
  'vg-4': [1_024, 256, 2_048, 128],
  'vg-4-lite': [1_024, 256, 2_048, 4_096],
};

const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);
const textsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `text number ${index}`);

/** Sends the request without a client library and returns the raw response. */
const raw = (body: object): Promise<EmbeddingList> =>
  callJson(`${stack.baseUrl}/v1/embeddings`, { method: 'POST', token: customer.apiKey, body });

/** The ledger's charges for `act` and the upstream's invoice for it. */
async function moneyOf(act: () => Promise<unknown>) {
  const since = await stack.simulator.lastSeq();
  await waitUntilSettled(stack, [customer]);
  const before = new Set((await stack.ledger.settlements(customer.accountId)).map(({ requestId }) => requestId));
  await act().catch(() => undefined);
  await waitUntilSettled(stack, [customer]);
  const calls = await stack.simulator.closedJournal(since);
  const all = await stack.ledger.settlements(customer.accountId);
  return { calls, settlements: all.filter(({ requestId }) => !before.has(requestId)) };
}

describe.each(Object.keys(LENGTHS))('%s', (model) => {
  const [defaultLength, shortest, longest, invalidLength] = LENGTHS[model] as (typeof LENGTHS)[string];

  it('returns vectors of its default length with usage and cost', async () => {
    const before = nanoOf((await customer.balance()).balance_usd);
    const input = ['The harbour at dawn', '夜明けの港'];
    const { data, response } = await embeddings.create({ model, input, encoding_format: 'float' }).withResponse();
    expect(data).toMatchObject({ object: 'list', model });
    expect(data.data.map(({ object, index }) => [object, index])).toEqual([
      ['embedding', 0],
      ['embedding', 1],
    ]);
    for (const { embedding } of data.data) {
      expect(embedding).toHaveLength(defaultLength);
      expect(lengthOf(embedding)).toBeCloseTo(1, 4);
    }
    expect(data.usage.prompt_tokens).toBeGreaterThan(0);
    expect(data.usage.total_tokens).toBe(data.usage.prompt_tokens);
    const cost = nanoOf(response.headers.get('x-cost-usd') ?? '');
    expect(cost).toBeGreaterThan(0n);
    expect(nanoOf(response.headers.get('x-balance-usd') ?? '')).toBe(before - cost);
  });

  it('returns the same vectors in base64, the default of client libraries', async () => {
    const input = textsOf(3);
    const numbers = await embeddings.create({ model, input, encoding_format: 'float' });
    const byDefault = await embeddings.create({ model, input });
    for (const [index, { embedding }] of byDefault.data.entries()) {
      expect(embedding).toEqual(numbers.data[index]?.embedding.map(Math.fround));
    }
    const { data } = await raw({ model, input, encoding_format: 'base64' });
    expect(data.map(({ embedding }) => Buffer.from(String(embedding), 'base64').length)).toEqual([
      defaultLength * 4,
      defaultLength * 4,
      defaultLength * 4,
    ]);
  });

  it('returns shorter and longer vectors of unit length', async () => {
    for (const dimensions of [shortest, longest]) {
      const { data } = await embeddings.create({ model, input: 'one text', dimensions, encoding_format: 'float' });
      expect(data).toHaveLength(1);
      expect(data[0]?.embedding).toHaveLength(dimensions);
      expect(lengthOf(data[0]?.embedding ?? [])).toBeCloseTo(1, 4);
    }
  });

  it('rejects an unsupported length and names the supported ones', async () => {
    await expect(embeddings.create({ model, input: 'x', dimensions: invalidLength })).rejects.toMatchObject({
      status: 400,
      param: 'dimensions',
      message: expect.stringContaining(`${longest}`),
    });
  });

  it('charges exactly what the upstream billed', async () => {
    const { calls, settlements } = await moneyOf(() => embeddings.create({ model, input: textsOf(7) }));
    expect(calls).toHaveLength(1);
    const [settlement] = settlements;
    expect(settlement).toMatchObject({ model, outcome: 'completed' });
    const billed = calls[0]?.billed;
    expect(settlement?.chargedNanoUsd).toBe(billed ? expectedCost(modelOf(model), billed) : undefined);
    // This model alone returns no usage.
    expect(settlement?.isEstimated).toBe(['text-embedding-004', 'gm-embedding-001'].includes(model));
  });
});

describe('a long list', () => {
  it('is split for the upstream and returned whole, in order, for one charge', async () => {
    const input = textsOf(25);
    const one = await Promise.all(
      [0, 9, 10, 24].map((index) =>
        embeddings.create({ model: 'text-embedding-v4', input: input[index] ?? '', encoding_format: 'float' }),
      ),
    );
    let response: OpenAI.CreateEmbeddingResponse | undefined;
    const { calls, settlements } = await moneyOf(async () => {
      response = await embeddings.create({ model: 'text-embedding-v4', input, encoding_format: 'float' });
    });
    expect(response?.data.map(({ index }) => index)).toEqual(input.map((_, index) => index));
    expect([0, 9, 10, 24].map((index) => response?.data[index]?.embedding)).toEqual(
      one.map(({ data }) => data[0]?.embedding),
    );
    expect(calls).toHaveLength(3);
    const tokens = calls.reduce((sum, { billed }) => sum + (billed?.input_tokens ?? 0), 0);
    expect(response?.usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
    expect(settlements).toHaveLength(1);
    expect(settlements[0]?.units).toEqual({ input_token: tokens });
    expect(settlements[0]?.attempts).toHaveLength(3);
  });

  it('accepts as many texts as client libraries send and rejects one more', async () => {
    const { data } = await embeddings.create({ model: 'text-embedding-v4', input: textsOf(2_048), dimensions: 64 });
    expect(data.map(({ index }) => index)).toEqual(Array.from({ length: 2_048 }, (_, index) => index));
    await expect(embeddings.create({ model: 'text-embedding-v4', input: textsOf(2_049) })).rejects.toMatchObject({
      status: 400,
      param: 'input',
    });
  });

  it.each([
    ['gm-embedding-001', textsOf(101), 2],
    ['vg-4-lite', textsOf(1_001), 2],
    ['vg-4-large', Array(8).fill('word '.repeat(20_000)), 4],
  ])('of %s is split by that upstream’s own limits', async (model, input, parts) => {
    const { calls, settlements } = await moneyOf(() => embeddings.create({ model, input, dimensions: 256 }));
    expect(calls.map(({ status }) => status)).toEqual(Array(parts).fill(200));
    expect(settlements).toHaveLength(1);
    expect(settlements[0]?.outcome).toBe('completed');
  });

  it('is rejected as a whole for free if one part fails', async () => {
    const input = [...textsOf(12), 'x'.repeat(4 * 8_200), ...textsOf(12)];
    const failing = embeddings.create({ model: 'text-embedding-v4', input });
    await expect(failing).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Range of input length should be [1, 8192]'),
    });
    const { calls, settlements } = await moneyOf(() => embeddings.create({ model: 'text-embedding-v4', input }));
    expect(calls.some(({ status }) => status === 400)).toBe(true);
    expect(settlements).toHaveLength(1);
    expect(settlements[0]).toMatchObject({ outcome: 'failed', chargedNanoUsd: 0n });
  });
});

describe('token numbers', () => {
  it('are the same as their text, and the response reports the tokenizer', async () => {
    const { data, response } = await embeddings
      .create({ model: 'vg-4', input: [[9906, 1917]], encoding_format: 'float' })
      .withResponse();
    expect(response.headers.get('x-gateway-filled')).toContain('input=cl100k_base');
    const text = await embeddings.create({ model: 'vg-4', input: ['Hello world'], encoding_format: 'float' });
    expect(data.data[0]?.embedding).toEqual(text.data[0]?.embedding);
  });
});

describe('rejected embeddings', () => {
  it.each([
    ['nothing', { input: undefined }, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['an empty text among others', { input: ['a', ''] }, 'input[1]'],
    ['numbers that are no tokens', { input: [-1, 2] }, 'input'],
    ['texts among tokens', { input: [1, 'a'] }, 'input[0]'],
    ['an unknown encoding', { input: 'x', encoding_format: 'hex' }, 'encoding_format'],
    ['an unknown model', { input: 'x', model: 'text-embedding-9' }, 'model'],
    ['a chat model', { input: 'x', model: 'cl-sonnet-4-6' }, 'model'],
  ])('rejects %s', async (_, fields, param) => {
    const body = { model: 'text-embedding-v4', ...fields } as OpenAI.EmbeddingCreateParams;
    await expect(embeddings.create(body)).rejects.toMatchObject({ status: 400, type: 'invalid_request_error', param });
  });

  it('rejects an embedding model on the chat path', async () => {
    const chat = client.chat.completions.create({ model: 'vg-4', messages: [{ role: 'user', content: 'x' }] });
    await expect(chat).rejects.toMatchObject({ status: 400, code: 'endpoint_model_mismatch' });
  });
});

describe('an unhealthy upstream', () => {
  it('that returns no usage is charged a marked estimate', async () => {
    const input = ['{{sim no_usage}} twelve bytes'];
    const { calls, settlements } = await moneyOf(() => embeddings.create({ model: 'text-embedding-v4', input }));
    const billed = calls[0]?.billed;
    expect(settlements[0]).toMatchObject({ isEstimated: true, outcome: 'completed' });
    expect(settlements[0]?.chargedNanoUsd).toBe(
      billed ? expectedCost(modelOf('text-embedding-v4'), billed) : undefined,
    );
  });

  it('that returns an invalid response causes a 502 for free', async () => {
    const { settlements } = await moneyOf(async () => {
      const broken = embeddings.create({ model: 'gm-embedding-001', input: '{{sim garbage}} x' });
      await expect(broken).rejects.toMatchObject({ status: 502 });
    });
    expect(settlements[0]).toMatchObject({ outcome: 'failed', chargedNanoUsd: 0n });
  });

  it.each([
    ['voyage', 'vg-4', 503, 503],
    ['gemini', 'gm-embedding-001', 500, 502],
    ['dashscope', 'text-embedding-v4', 429, 429],
  ])('(%s) of %s that returns %i causes a %i for free', async (vendor, model, status, seen) => {
    await stack.simulator.fault({ vendor, status });
    const { calls, settlements } = await moneyOf(async () => {
      await expect(embeddings.create({ model, input: 'x' })).rejects.toMatchObject({ status: seen });
    });
    expect(calls.length).toBeGreaterThan(0);
    expect(settlements).toHaveLength(1);
    expect(settlements[0]).toMatchObject({ outcome: 'failed', chargedNanoUsd: 0n });
  });
});

it('leaves a consistent ledger', async () => {
  await expectConsistentLedger(stack, [customer]);
});
