import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractVectors } from './extract-vectors.js';

const cut = (json: string) => extractVectors(Buffer.from(json), 'embedding');

function refusal(json: string): string {
  try {
    cut(json);
  } catch (error) {
    if (isGatewayError(error)) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('extractVectors', () => {
  it('leaves an answer that can be parsed, and the numbers as they were written', () => {
    const { envelope, vectors } = cut('{"a":[{"embedding":[0.10,-2e-7]},{"embedding" : [ 1 , 2 ]}],"b":"é"}');
    expect(envelope).toEqual({ a: [{ embedding: 0 }, { embedding: 1 }], b: 'é' });
    expect(vectors).toEqual(['0.10,-2e-7', ' 1 , 2 ']);
  });

  it('takes the name for a key only where it is one', () => {
    const json = JSON.stringify({ object: 'embedding', text: 'the "embedding":[1,2] of a text', embedding: [3] });
    const { envelope, vectors } = cut(json);
    expect(envelope).toEqual({ object: 'embedding', text: 'the "embedding":[1,2] of a text', embedding: 0 });
    expect(vectors).toEqual(['3']);
  });

  it.each(['', ',', '1,', '01', '.5', '1.', '+1', '1e', 'NaN', '"1"', '[1', '1 2', '--1', 'null'])(
    'refuses a list of %j',
    (inside) => {
      expect(refusal(`{"embedding":[${inside}]}`)).toBe('upstream_error');
    },
  );

  it('reads whatever JSON can say as a number', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (numbers) => {
        const { vectors } = cut(JSON.stringify({ embedding: numbers }));
        expect(JSON.parse(`[${vectors[0]}]`)).toEqual(JSON.parse(JSON.stringify(numbers)));
      }),
    );
  });

  it('refuses a list that has no end, or is longer than any vector', () => {
    expect(refusal('{"embedding":[1,2')).toBe('upstream_error');
    expect(refusal(`{"embedding":[${'1,'.repeat(300_000)}1]}`)).toBe('upstream_error');
    expect(cut(`{"embedding":[${'0.123456789,'.repeat(40_000)}1]}`).vectors).toHaveLength(1);
  });
});
