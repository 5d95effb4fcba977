import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { extractVectors } from './extract-vectors.js';

const extract = (json: string) => extractVectors(Buffer.from(json), 'embedding');

function refusal(json: string): string {
  try {
    extract(json);
  } catch (error) {
    if (isGatewayError(error)) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('extractVectors', () => {
  it('leaves valid JSON, and the numbers in their own digits', () => {
    const { envelope, vectors } = extract('{"a":[{"embedding":[0.10,-2e-7]},{"embedding" : [ 1 , 2 ]}],"b":"é"}');
    expect(envelope).toEqual({ a: [{ embedding: 0 }, { embedding: 1 }], b: 'é' });
    expect(vectors).toEqual(['0.10,-2e-7', ' 1 , 2 ']);
  });

  it('matches the name only as a key', () => {
    const json = JSON.stringify({ object: 'embedding', text: 'the "embedding":[1,2] of a text', embedding: [3] });
    const { envelope, vectors } = extract(json);
    expect(envelope).toEqual({ object: 'embedding', text: 'the "embedding":[1,2] of a text', embedding: 0 });
    expect(vectors).toEqual(['3']);
  });

  it.each(['', ',', '1,', '01', '.5', '1.', '+1', '1e', 'NaN', '"1"', '[1', '1 2', '--1', 'null'])(
    'rejects the list %j',
    (inside) => {
      expect(refusal(`{"embedding":[${inside}]}`)).toBe('upstream_error');
    },
  );

  it('accepts every JSON number', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (numbers) => {
        const { vectors } = extract(JSON.stringify({ embedding: numbers }));
        expect(JSON.parse(`[${vectors[0]}]`)).toEqual(JSON.parse(JSON.stringify(numbers)));
      }),
    );
  });

  it('rejects an unclosed list and a list above the limit', () => {
    expect(refusal('{"embedding":[1,2')).toBe('upstream_error');
    expect(refusal(`{"embedding":[${'1,'.repeat(300_000)}1]}`)).toBe('upstream_error');
    expect(extract(`{"embedding":[${'0.123456789,'.repeat(40_000)}1]}`).vectors).toHaveLength(1);
  });
});
