import { describe, expect, it } from '@jest/globals';
import { toBase64, vectorOf } from './vector-of.js';

const lengthOf = (vector: readonly number[]): number => Math.sqrt(vector.reduce((sum, n) => sum + n * n, 0));

describe('vectorOf', () => {
  it('differs by text and model only', () => {
    const vector = vectorOf('m', 'hello', 64, true);
    expect(vectorOf('m', 'hello', 64, true)).toEqual(vector);
    expect(vectorOf('m', 'hello!', 64, true)).not.toEqual(vector);
    expect(vectorOf('n', 'hello', 64, true)).not.toEqual(vector);
  });

  it('has unit length in full, and shortened only on request', () => {
    expect(lengthOf(vectorOf('m', 'x', 3_072, false))).toBeCloseTo(1, 5);
    expect(lengthOf(vectorOf('m', 'x', 768, false))).toBeLessThan(0.7);
    expect(lengthOf(vectorOf('m', 'x', 768, true))).toBeCloseTo(1, 5);
  });

  it('is written as little-endian floats in base64', () => {
    expect(toBase64([0.5, -0.25, 0.125])).toBe('AAAAPwAAgL4AAAA+');
  });
});
