import { describe, expect, it } from '@jest/globals';
import { startForTests } from '../../test-support/start-for-tests.js';

const url = await startForTests();

const call = async (fields: object, key = 'k') => {
  const response = await fetch(`${url}/voyage/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'voyage-4-large', input: ['a', 'b'], ...fields }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

interface List {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] | string }[];
  readonly usage: object;
}

describe('embeddings', () => {
  it('are numbers, or the same numbers in base64', async () => {
    const numbers = (await call({ output_dimension: 256 })).body as unknown as List;
    const packed = (await call({ output_dimension: 256, encoding_format: 'base64' })).body as unknown as List;
    expect(numbers.usage).toEqual({ total_tokens: 2 });
    for (const [place, { embedding }] of packed.data.entries()) {
      const bytes = Buffer.from(String(embedding), 'base64');
      const floats = Array.from({ length: 256 }, (_, at) => bytes.readFloatLE(at * 4));
      expect(floats).toEqual(Array.from((numbers.data[place]?.embedding ?? []) as readonly number[], Math.fround));
    }
  });

  it.each([
    [{ input: Array(1_001).fill('x') }, 'The batch size limit is 1000'],
    [{ input: [''] }, 'empty strings'],
    [{ input: Array(5).fill('x'.repeat(100_000)) }, 'The max allowed tokens per submitted batch is 120000'],
    [{ input: 'x'.repeat(128_004), truncation: false }, 'The example at index 0 in your batch has too many tokens'],
    [{ output_dimension: 100 }, 'output_dimension'],
    [{ encoding_format: 'float' }, 'encoding_format'],
    [{ dimensions: 256 }, "Argument 'dimensions' is not supported"],
    [{ model: 'voyage-9' }, 'is not supported'],
  ])('are refused %#', async (wrong, words) => {
    expect(await call(wrong)).toMatchObject({ status: 400, body: { detail: expect.stringContaining(words) } });
  });

  it.each([
    ['bad-key', 401, 'API key is invalid'],
    ['is-broke', 429, 'payment method'],
  ])('are refused for the credential %s', async (key, status, words) => {
    expect(await call({}, key)).toMatchObject({ status, body: { detail: expect.stringContaining(words) } });
  });
});
