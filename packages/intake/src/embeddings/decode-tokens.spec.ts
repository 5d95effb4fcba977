import { findModel } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';
import { decodeTokens } from './decode-tokens.js';

/** "Hello world, 日本" by the vendor's own tokenizer. */
const HELLO = [9906, 1917, 11, 76502, 22656];

function validate(input: unknown) {
  const model = findModel('vg-4');
  if (model === undefined) throw new Error('no model');
  return JSON_ENDPOINTS.embeddings.validate({ model: 'vg-4', input, dimensions: 256 }, model);
}

function refusal(input: unknown) {
  try {
    validate(input);
  } catch (error) {
    if (isGatewayError(error)) return { param: error.details.param, message: error.message };
  }
  throw new Error('expected a 400');
}

describe('decodeTokens', () => {
  it('decodes a list of tokens, and a list of such lists', () => {
    expect(decodeTokens(HELLO)).toBe('Hello world, 日本');
    expect(decodeTokens([HELLO, [9906]])).toEqual(['Hello world, 日本', 'Hello']);
  });

  it('leaves texts and anything else to the check of texts', () => {
    for (const input of ['a', ['a'], [], [[]], [1, 'a'], [[1], 'a'], 5, null])
      expect(decodeTokens(input)).toBeUndefined();
  });
});

describe('embeddings of tokens', () => {
  it('sends the text, holds by it, and reports the tokenizer', () => {
    const valid = validate([HELLO]);
    expect(valid.rewritten).toEqual({ model: 'vg-4', input: ['Hello world, 日本'], dimensions: 256 });
    expect(valid.changes).toEqual({ filled: { input: 'cl100k_base' }, dropped: [] });
    expect(valid.worstCase).toEqual(validate(['Hello world, 日本']).worstCase);
    expect(validate('Hello').rewritten).toBeUndefined();
  });

  it("renames Voyage's own field of the length, with tokens and without, on its models only", () => {
    const vg = (body: object) => {
      const model = findModel('vg-4');
      if (model === undefined) throw new Error('no model');
      return JSON_ENDPOINTS.embeddings.validate({ model: 'vg-4', output_dimension: 512, ...body }, model).rewritten;
    };
    expect(vg({ input: 'a' })).toEqual({ model: 'vg-4', input: 'a', dimensions: 512 });
    expect(vg({ input: HELLO })).toEqual({ model: 'vg-4', input: 'Hello world, 日本', dimensions: 512 });
    const other = findModel('text-embedding-v4');
    if (other === undefined) throw new Error('no model');
    const body = { model: other.id, input: 'a', output_dimension: 512 };
    expect(() => JSON_ENDPOINTS.embeddings.validate(body, other)).toThrow("Unknown parameter: 'output_dimension'.");
  });

  it('names the list with a number that is no token', () => {
    for (const token of [100_300, -1, 1.5, 1e9]) {
      expect(refusal([[9906], [token]])).toEqual({
        param: 'input[1]',
        message: expect.stringContaining('tokens of cl100k_base'),
      });
    }
    expect(refusal(new Array(300_001).fill(1)).param).toBe('input');
  });
});
