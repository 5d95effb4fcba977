import { describe, expect, it } from '@jest/globals';
import { firstQuarters } from './quarters.js';
import { inputTokens, invoiceUsage, PromptTally, tokensOfText } from './tokens.js';

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

  it.each([
    ['The mill, of course.', 6],
    ['{"city":"Paris"}', 5],
    ['1234', 4],
    ['日本', 2],
    ['😀😀', 5],
    ['мир', 2],
    ['a\u0001', 1],
  ])('counts %p by its characters', (text, tokens) => {
    expect(tokensOfText(text)).toBe(tokens);
  });

  it('cuts a text before the character that is too much', () => {
    expect(firstQuarters('a12b', 9)).toBe('a12');
    expect(firstQuarters('ab😀c', 11)).toBe('ab');
    expect(firstQuarters('ab😀c', 12)).toBe('ab😀');
    expect(firstQuarters('abc', 3)).toBe('abc');
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
