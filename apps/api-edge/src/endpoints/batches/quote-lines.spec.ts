import { MODELS } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { type LinesToQuote, type QuotedLine, quoteLines } from './quote-lines.js';

const PATH = '/v1/chat/completions';
const chat = (customId: string, body: object, url = PATH): string =>
  JSON.stringify({ custom_id: customId, method: 'POST', url, body });
const hello = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'Hello' }] };

function quote(texts: readonly string[], more: Partial<LinesToQuote> = {}): readonly QuotedLine[] {
  const parts = texts.map((text) => Buffer.from(text));
  let start = 0;
  const lines = parts.map((part, index) => {
    const line = { number: index + 1, start, end: start + part.length };
    start = line.end;
    return line;
  });
  const scope = {
    access: { models: null, endpoints: null },
    vendors: new Set<string>(MODELS.map(({ vendor }) => vendor)),
    atMs: Date.now(),
  };
  const bytes = new Uint8Array(Buffer.concat(parts));
  return quoteLines({ endpoint: 'chat.completions', scope, priceOverrides: [], bytes, lines, ...more });
}

const amountsOf = (line: QuotedLine | undefined): readonly [bigint, bigint] => {
  if (line === undefined || 'wrong' in line) throw new Error('expected a price');
  return [line.likelyNanoUsd, line.mostNanoUsd];
};

describe('quoteLines', () => {
  it('prices each line, the most at least as the likely', () => {
    const [short, long] = quote([chat('a', { ...hello, max_tokens: 10 }), chat('b', { ...hello, max_tokens: 4_000 })]);
    const [[likely, most], [, mostOfLong]] = [amountsOf(short), amountsOf(long)];
    expect(likely > 0n && likely <= most && most < mostOfLong).toBe(true);
    expect([short?.customId, long?.number]).toEqual(['a', 2]);
  });

  it('says of a wrong line what the line itself would say', () => {
    const found = quote([
      'no json',
      chat('model', { ...hello, model: 'none' }),
      chat('field', { ...hello, temperature: 'hot' }),
      chat('url', hello, '/v1/embeddings'),
    ]);
    expect(found).toMatchObject([
      { customId: null, wrong: { code: 'invalid_json_line', line: 1 } },
      { customId: 'model', wrong: { code: 'model_not_found', param: 'model', line: 2 } },
      { customId: 'field', wrong: { param: 'temperature', line: 3 } },
      { customId: 'url', wrong: { code: 'mismatched_url', param: 'url', line: 4 } },
    ]);
  });

  it('refuses the models that the key may not use', () => {
    const scope = {
      access: { models: ['cl-opus-4-7'], endpoints: null },
      vendors: new Set(['gemini']),
      atMs: Date.now(),
    };
    expect(quote([chat('a', hello)], { scope })).toMatchObject([{ wrong: { param: 'model', line: 1 } }]);
  });
});
