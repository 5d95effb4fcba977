import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonBody } from './parse-json-body.js';
import { rejectOversizedJson } from './reject-oversized-json.js';

const PADDING = ' '.repeat(256 * 1024);
const padded = (json: string) => Buffer.from(PADDING + json);

describe('a large body', () => {
  it.each([
    ['empty lists', `{"a":[${'[],'.repeat(50_001)}1]}`, 'values: expected at most 100000.'],
    ['numbers', `{"a":[${'1,'.repeat(100_001)}1]}`, 'values: expected at most 100000.'],
    ['brackets', `{"a":${'[]'.repeat(100_000)}}`, 'values: expected at most 100000.'],
    ['fields', `{${'"a":1,'.repeat(20_001)}"a":1}`, 'names of fields: expected at most 20000.'],
  ])('with too many %s is rejected before it is parsed, naming the limit', (_what, body, limit) => {
    expect(() => parseJsonBody(Buffer.from(body))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: `The body of the request has too many ${limit}`,
      }),
    );
  });

  it('may have a hundred thousand values', () => {
    const body = `{"a":[${'1,'.repeat(99_997)}1]}`;
    expect((parseJsonBody(Buffer.from(body)).fields.a as unknown[]).length).toBe(99_998);
  });

  it.each([
    ['levels that never end', '['.repeat(16_000_000), '[0][0][0][0]'],
    ['a deep field', `{"model":"m","tools":[{},{"a\\"b":1,"function":${'['.repeat(101)}`, 'tools[1].function[0]'],
    ['levels of objects', `{"n":${'{"a":'.repeat(5_000_000)}`, 'n.a.a.a'],
  ])('with %s is rejected at the first value that is too deep', (_what, json, param) => {
    expect(() => parseJsonBody(padded(json))).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { param } }),
    );
  });

  it('may have anything in its strings', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('\\', '"', '[', '{', ',', ':', 'é', 'x'), maxLength: 300 }),
      fc.constantFrom('['.repeat(200), '\\'.repeat(63), '"'.repeat(64), `${'x'.repeat(63)}\\`, `${'x'.repeat(64)}"[`),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
        const deepest = Array.from({ length: 98 }).reduce<unknown>((inner) => [inner], 1);
        const value = { [texts.join('')]: texts, deepest };
        expect(parseJsonBody(padded(JSON.stringify(value))).fields).toEqual(value);
        const tooDeep = JSON.stringify({ texts, deepest: [[deepest]] });
        expect(() => rejectOversizedJson(padded(tooDeep))).toThrow('deepest[0][0][0]');
      }),
    );
  });

  it.each([['{"a":"'], ['{"a":"\\'], [`{"a":"${'\\"'.repeat(100)}`], [']]]}}}'], ['{"a":1,}']])(
    'that is malformed is left to the parser: %s',
    (json) => {
      expect(() => parseJsonBody(padded(json))).toThrow(expect.objectContaining({ code: 'invalid_json' }));
    },
  );
});
