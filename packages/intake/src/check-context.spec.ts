import type { CatalogueModel } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { checkContext } from './check-context.js';

const modelOf = (contextTokens?: number) => ({ id: 'a-model', limits: { contextTokens } }) as CatalogueModel;

describe('checkContext', () => {
  it.each([
    ['words of one letter', 'a '.repeat(70_000), 70_000],
    ['words of two-byte characters', '字 '.repeat(70_000), 70_000],
    ['words across the parts that are copied at once', `${' '.repeat(65_535)}ab${' '.repeat(140_000)}`, 1],
    ['controls, which are spaces', 'a\t\n\u0000'.repeat(40_000), 40_000],
  ])('counts %s', (_what, text, words) => {
    expect(() => checkContext([text], modelOf(words))).not.toThrow();
    expect(() => checkContext([text], modelOf(words - 1))).toThrow(`has ${words - 1} tokens, and 'messages' has more`);
  });

  it.each([
    ['ASCII', 'ab \n~!', ''],
    ['others', 'ab \n~!', '字'],
  ])('counts any mixture of words and spaces of %s', (_what, letters, end) => {
    // Every mixture of four letters after another, so that each place in a number begins and ends a word.
    const all = Array.from({ length: letters.length ** 5 }, (_, number) =>
      Array.from({ length: 5 }, (_letter, place) => letters[Math.floor(number / letters.length ** place) % 6]).join(''),
    ).join('');
    for (let length = all.length - 9; length < all.length; length += 1) {
      const text = `${end}${all.slice(0, length)}`;
      const words = text.split(/[ \n]+/).filter(Boolean).length;
      expect(() => checkContext([text], modelOf(words))).not.toThrow();
      expect(() => checkContext([text], modelOf(words - 1))).toThrow('has more');
    }
  });

  it('adds the words of all texts', () => {
    expect(() => checkContext(['a a a ', 'b b b '], modelOf(5), 'input')).toThrow("'input' has more");
    expect(() => checkContext(['a a a ', 'b b b '], modelOf(6))).not.toThrow();
  });

  it('takes any text where no window is known', () => {
    expect(() => checkContext(['a '.repeat(1_000)], modelOf())).not.toThrow();
  });
});
