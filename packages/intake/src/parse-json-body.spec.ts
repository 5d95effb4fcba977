import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonBody } from './parse-json-body.js';

describe('a JSON body', () => {
  it('may contain any UTF-8 text', () => {
    const body = { input: 'Grüße, 世界 👩‍👩‍👧‍👦 \u0000 \ud800' };
    expect(parseJsonBody(Buffer.from(JSON.stringify(body))).fields).toEqual(body);
  });

  it.each([
    ['Latin-1', Buffer.from('{"input":"Grüße"}', 'latin1')],
    ['a character that is cut', Buffer.from('{"input":"世"}').subarray(0, 11)],
    ['half a surrogate pair in bytes', Buffer.from([0x7b, 0xed, 0xa0, 0x80, 0x7d])],
  ])('is rejected if it is not valid UTF-8: %s', (_what, body) => {
    expect(() => parseJsonBody(body)).toThrow(
      expect.objectContaining({ code: 'invalid_json', message: 'The body of the request is not valid UTF-8.' }),
    );
  });

  it('is sent on byte for byte', () => {
    const body = Buffer.from(
      '{ "n" : 1e400, "text":"\\u00e9 a:b, {", "o":{"a":[{"a":7.0}],"b":{"a":1}}, "__proto__":{} }',
    );
    expect(parseJsonBody(body).bytes).toBe(body);
  });

  it.each([
    ['{"model":"a","model":"b"}', '{"model":"b"}'],
    [
      '{"messages":[{"content":"a long prompt","role":"user","content":"hi"}]}',
      '{"messages":[{"content":"hi","role":"user"}]}',
    ],
    ['{"tools":[{"type":"paid"  ,"t\\u0079pe":"function"}]}', '{"tools":[{"type":"function"}]}'],
  ])('is rewritten without the ignored value if a name repeats: %s', (text, sent) => {
    expect(parseJsonBody(Buffer.from(text)).bytes.toString('utf8')).toBe(sent);
  });

  it('is sent on with the same meaning as it was parsed', () => {
    const name = fc.constantFrom('a', 'b', '\\u0061', '__proto__', 'é');
    // A few elements on each level: otherwise the largest bodies have millions and take minutes.
    const few = { maxLength: 4 };
    const { value } = fc.letrec((again) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.json({ maxDepth: 2 }),
        again('object'),
        fc.array(again('object'), few).map((all) => `[${all.join()}]`),
      ),
      object: fc
        .array(fc.tuple(name, again('value')), few)
        .map((pairs) => `{${pairs.map(([key, inner]) => `"${key}":${inner}`).join()}}`),
    }));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), few), (pairs) => {
        const body = Buffer.from(`{${pairs.map(([key, inner]) => `"${key}": ${inner}`).join(' ,')}}`);
        const { fields, bytes } = parseJsonBody(body);
        const isTwice = (text: string): boolean =>
          JSON.stringify(JSON.parse(text)).replace(/\s/g, '').length !== text.replace(/\s/g, '').length;
        expect(JSON.parse(bytes.toString('utf8'))).toEqual(fields);
        if (bytes === body) return;
        expect(isTwice(body.toString('utf8'))).toBe(true);
        expect(parseJsonBody(bytes).bytes).toBe(bytes);
      }),
    );
  });
});
