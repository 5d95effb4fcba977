import { describe, expect, it } from '@jest/globals';
import { inputTokens, invoiceUsage, PromptTally, tokensOfBytes } from './tokens.js';

const tallyOf = (...texts: string[]): PromptTally => {
  const tally = new PromptTally(...texts);
  return tally;
};

describe('counting', () => {
  it('rounds up once over the sum of all texts', () => {
    expect(inputTokens(tallyOf('a', 'b', 'c'))).toBe(1);
    expect(inputTokens(tallyOf('abcd', 'e'))).toBe(2);
    expect(inputTokens(tallyOf())).toBe(0);
  });

  it('counts bytes of UTF-8, not characters', () => {
    expect(inputTokens(tallyOf('日本'))).toBe(2);
    expect(tokensOfBytes(Buffer.byteLength('😀😀'))).toBe(2);
  });

  it('adds a fixed weight for each medium', () => {
    const tally = tallyOf('abcd');
    tally.images = 2;
    tally.audios = 1;
    tally.videos = 1;
    expect(inputTokens(tally)).toBe(1 + 170 + 250 + 500);
  });

  it('bills cached and written tokens apart from other input', () => {
    const counts = { inputTokens: 100, cachedTokens: 60, cacheWriteTokens: 10, visibleTokens: 5, reasoningTokens: 2 };
    expect(invoiceUsage(counts, 7)).toEqual({
      input_tokens: 30,
      cached_input_tokens: 60,
      cache_write_tokens: 10,
      output_tokens: 7,
    });
  });
});
