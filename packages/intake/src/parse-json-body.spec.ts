import { describe, expect, it } from '@jest/globals';
import { parseJsonBody } from './parse-json-body.js';

describe('a JSON body', () => {
  it('may say anything that UTF-8 can say', () => {
    const said = { input: 'Grüße, 世界 👩‍👩‍👧‍👦 \u0000 \ud800' };
    expect(parseJsonBody(Buffer.from(JSON.stringify(said)))).toEqual(said);
  });

  it.each([
    ['Latin-1', Buffer.from('{"input":"Grüße"}', 'latin1')],
    ['a character that is cut', Buffer.from('{"input":"世"}').subarray(0, 11)],
    ['half a surrogate pair in bytes', Buffer.from([0x7b, 0xed, 0xa0, 0x80, 0x7d])],
  ])('is refused where it would be read as something that nobody wrote: %s', (_what, body) => {
    expect(() => parseJsonBody(body)).toThrow(
      expect.objectContaining({ code: 'invalid_json', message: 'The body of the request is not valid UTF-8.' }),
    );
  });
});
