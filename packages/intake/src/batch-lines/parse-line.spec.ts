import { describe, expect, it } from '@jest/globals';
import { parseLine } from './parse-line.js';

const PATH = '/v1/chat/completions';
const good = { custom_id: 'a', method: 'POST', url: PATH, body: { model: 'm' } };
const parse = (text: string) => parseLine({ number: 1, bytes: Buffer.from(text) }, PATH);

describe('parseLine', () => {
  it('returns the bytes of the body as they came', () => {
    const line = `{"custom_id":"a","method":"POST","url":"${PATH}", "body": {"seed": 12345678901234567890, "x":"}"} }\r`;
    expect(parse(line)).toEqual({ customId: 'a', body: Buffer.from('{"seed": 12345678901234567890, "x":"}"}') });
  });

  it.each([
    ['not json', null, 'invalid_json_line', null],
    ['[1]', null, 'invalid_json_line', null],
    [JSON.stringify({ ...good, custom_id: 7 }), null, 'invalid_request', 'custom_id'],
    [JSON.stringify({ ...good, custom_id: 'x'.repeat(513) }), null, 'invalid_request', 'custom_id'],
    [JSON.stringify({ ...good, method: 'GET' }), 'a', 'invalid_request', 'method'],
    [JSON.stringify({ ...good, url: '/v1/embeddings' }), 'a', 'mismatched_url', 'url'],
    [JSON.stringify({ ...good, body: [] }), 'a', 'invalid_request', 'body'],
    [JSON.stringify({ ...good, body: { stream: true } }), 'a', 'invalid_request', 'body.stream'],
    [JSON.stringify({ ...good, body: { background: true } }), 'a', 'invalid_request', 'body.background'],
  ])('says what is wrong with %s', (text, customId, code, param) => {
    expect(parse(text)).toMatchObject({ customId, wrong: { code, param } });
  });

  it("takes the path as Azure's clients name it", () => {
    expect(parse(JSON.stringify({ ...good, url: '/chat/completions' }))).toMatchObject({ customId: 'a' });
    expect(parse(JSON.stringify({ ...good, url: '/chat/completions' }))).not.toHaveProperty('wrong');
    expect(parse(JSON.stringify({ ...good, url: '/embeddings' }))).toHaveProperty('wrong.code', 'mismatched_url');
  });

  it('refuses another encoding', () => {
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const bytes = Buffer.from(JSON.stringify({ ...good, custom_id: 'é' }), encoding);
      expect(parseLine({ number: 1, bytes }, PATH)).toMatchObject({
        customId: null,
        wrong: { code: 'invalid_json_line' },
      });
    }
  });

  it('refuses a line with more names than its endpoint takes, before it parses it', () => {
    const names = Array.from({ length: 20_001 }, (_, at) => `"n${at}":1`).join();
    const line = `{"custom_id":"a","method":"POST","url":"${PATH}","body":{${names}}}`;
    expect(parse(line)).toMatchObject({ customId: null, wrong: { code: 'line_too_large', param: null } });
    expect(parse(`{"custom_id":${'['.repeat(5_000)}`)).toMatchObject({ wrong: { code: 'line_too_large' } });
  });

  it('refuses a line that is too long', () => {
    expect(parseLine({ number: 1, bytes: undefined }, PATH)).toMatchObject({ wrong: { code: 'line_too_long' } });
  });
});
