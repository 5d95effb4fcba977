import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { startForTests } from '../../test-support/start-for-tests.js';

const url = await startForTests();
const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/dashscope/compatible-mode/v1`, maxRetries: 0 });
const model = 'text-embedding-v4';
const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);

describe('embeddings of the compatible mode', () => {
  it('returns a unit vector for each text, billed by text', async () => {
    const input = ['alpha', 'beta'];
    const { data, usage } = await client.embeddings.create({ model, input, encoding_format: 'float', dimensions: 64 });
    expect(data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 64],
      [1, 64],
    ]);
    expect(lengthOf(data[0]?.embedding ?? [])).toBeCloseTo(1, 5);
    expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
  });

  it.each([
    [{ input: Array(11).fill('x') }, 400, 'batch size is invalid, it should not be larger than 10'],
    [{ input: '' }, 400, 'contents is neither str nor list of str'],
    [{ input: 'x'.repeat(4 * 8_193) }, 400, 'Range of input length should be [1, 8192]'],
    [{ dimensions: 65 }, 400, 'dimension is invalid'],
    [{ encoding_format: 'base64' as const }, 400, 'encoding_format'],
    [{ model: 'text-embedding-v9' }, 404, 'does not exist'],
  ])('refuses %#', async (wrong, status, words) => {
    const params = { model, input: 'x', encoding_format: 'float' as const, ...wrong };
    const error = { status, message: expect.stringContaining(words) };
    await expect(client.embeddings.create(params)).rejects.toMatchObject(error);
  });
});
