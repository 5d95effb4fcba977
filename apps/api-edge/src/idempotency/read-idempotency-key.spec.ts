import { describe, expect, it } from '@jest/globals';
import { readIdempotencyKey } from './read-idempotency-key.js';

describe('an idempotency key', () => {
  it('is optional', () => {
    expect(readIdempotencyKey({})).toBeUndefined();
  });

  it.each(['x', 'x'.repeat(255), ' ~', '"8e03978e-40d5-43e8-bc93-6894a57f9324"'])('may be %s', (key) => {
    expect(readIdempotencyKey({ 'idempotency-key': key })).toBe(key);
  });

  it.each([
    ['empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a tab in it', 'a\tb'],
    ['with a letter that is not ASCII', 'clé'],
  ])('may not be %s', (_what, key) => {
    expect(() => readIdempotencyKey({ 'idempotency-key': key })).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { param: 'Idempotency-Key' } }),
    );
  });
});
