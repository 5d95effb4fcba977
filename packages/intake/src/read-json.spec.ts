import { describe, expect, it } from '@jest/globals';
import { isLongJson, ownBytes, readJson } from './read-json.js';

const MIB = 1024 * 1024;
const scope = {
  access: { models: null, endpoints: null },
  vendors: new Set(['gemini']),
  atMs: Date.parse('2026-10-15'),
};
const bodyOf = (fields: object) => ownBytes(Buffer.from(JSON.stringify(fields)));
const chat = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'x'.repeat(MIB) }] };
const read = (fields: object) => readJson({ body: bodyOf(fields), endpoint: 'chat.completions', scope });

describe('a long body', () => {
  it.each([
    ['a long text', { a: 'x'.repeat(MIB) }, true],
    ['a text of a few hundred kilobytes', { a: 'x'.repeat(500_000) }, false],
    [
      'three thousand names',
      Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`name${index}`, 1])),
      true,
    ],
    ['twenty thousand values', { a: Array.from({ length: 20_000 }, () => 1) }, true],
    [
      'a usual conversation',
      { a: Array.from({ length: 200 }, () => ({ role: 'user', content: 'x'.repeat(500) })) },
      false,
    ],
  ])('is one with %s: %#', (_what, fields, isLong) => {
    expect(isLongJson(Buffer.from(JSON.stringify(fields)))).toBe(isLong);
  });

  it('is refused at once with too many names', () => {
    const fields = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [index, 1]));
    expect(() => isLongJson(Buffer.from(JSON.stringify(fields)))).toThrow('too many names');
  });

  it('is validated as a short one, and its bytes are sent on', () => {
    const body = bodyOf(chat);
    const { bytes, ...result } = readJson({ body, endpoint: 'chat.completions', scope });
    expect(bytes.buffer).toBe(body.buffer);
    expect(result).toMatchObject({ modelName: 'gm-2.5-flash', valid: { isStream: false } });
    expect(structuredClone(result)).toEqual(result);
  });

  it('that is invalid names its model, so that the error has the form of its family', () => {
    expect(read({ ...chat, messages: 5 })).toMatchObject({
      modelName: 'gm-2.5-flash',
      refused: { code: 'invalid_request', param: 'messages' },
    });
  });

  it('without a model of the key is refused', () => {
    expect(() => read({ ...chat, model: 'none' })).toThrow(expect.objectContaining({ code: 'model_not_found' }));
  });
});
