import { describe, expect, it } from '@jest/globals';
import { mayHoldLargeIntegers, parseExactJson } from './exact-json.js';

const again = (text: string): string => JSON.stringify(parseExactJson(text));

describe('JSON that is written again', () => {
  it.each([
    '{"id":9223372036854775807,"ids":[-9007199254740993,3],"a":{"b":[1,[18446744073709551615]]}}',
    '{"text":"no 12345678901234567890","id":12345678901234567891}',
  ])('keeps every digit of %s', (text) => {
    expect(again(text)).toBe(text);
    expect(again(text.replaceAll(':', ':\n'))).toBe(text);
  });

  it.each([
    '12345678901234567890',
    ' -12345678901234567890',
    '9007199254740991',
    '1.0',
    '12345678901234567.5',
    '"12345678901234567890"',
    '{"a":1,"b":null}',
    '[true]',
  ])('is parsed as JSON.parse does: %s', (text) => {
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it.each(['', '{', '[12345678901234567890', '012345678901234567'])('must be JSON: %s', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('with very many values is parsed as JSON.parse does', () => {
    const text = `[${'1,'.repeat(50_001)}12345678901234567890]`;
    expect(mayHoldLargeIntegers(text)).toBe(false);
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });
});
