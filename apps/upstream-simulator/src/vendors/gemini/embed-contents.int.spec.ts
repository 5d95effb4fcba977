import { describe, expect, it } from '@jest/globals';
import { startForTests } from '../../test-support/start-for-tests.js';

const url = await startForTests();

const requestOf = (model: string, text: string, more: object = {}) => ({
  model: `models/${model}`,
  content: { parts: [{ text }] },
  ...more,
});

const call = async (model: string, requests: readonly object[]) => {
  const response = await fetch(`${url}/gemini/v1beta/models/${model}:batchEmbedContents`, {
    method: 'POST',
    headers: { 'x-goog-api-key': 'k', 'content-type': 'application/json' },
    body: JSON.stringify({ requests }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const MODEL = 'gemini-embedding-001';
const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);

describe('batchEmbedContents', () => {
  it('returns vectors in order; only the longest have unit length', async () => {
    const { body } = await call(MODEL, [requestOf(MODEL, 'a'), requestOf(MODEL, 'b', { output_dimensionality: 768 })]);
    const [long, short] = (body.embeddings as { values: number[] }[]).map(({ values }) => values);
    expect([long?.length, short?.length]).toEqual([3_072, 768]);
    expect(lengthOf(long ?? [])).toBeCloseTo(1, 5);
    expect(lengthOf(short ?? [])).toBeLessThan(0.9);
    expect(body.usageMetadata).toBeUndefined();
  });

  it('reports usage for the newer models', async () => {
    const model = 'gemini-embedding-2-preview';
    expect((await call(model, [requestOf(model, 'eight by')])).body.usageMetadata).toEqual({ promptTokenCount: 2 });
  });

  it.each([
    [Array(101).fill(requestOf(MODEL, 'x')), 400, 'at most 100 requests'],
    [[], 400, 'requests'],
    [[requestOf(MODEL, '')], 400, 'contents is not specified'],
    [[requestOf('gemini-embedding-2', 'x')], 400, 'model must match'],
    [[requestOf(MODEL, 'x', { outputDimensionality: 4_000 })], 400, 'output_dimensionality'],
    [[requestOf(MODEL, 'x', { dimensions: 3 })], 400, 'Cannot find field'],
  ])('refuses %#', async (requests, status, words) => {
    expect(await call(MODEL, requests)).toMatchObject({
      status,
      body: { error: { message: expect.stringContaining(words) } },
    });
  });

  it('refuses a retired model', async () => {
    expect(await call('text-embedding-004', [requestOf('text-embedding-004', 'x')])).toMatchObject({ status: 404 });
  });
});
