import { describe, expect, it } from '@jest/globals';
import { lexer } from 'marked';
import { isParsed } from './is-parsed.js';

describe('an answer', () => {
  it.each([
    ['prose', `${'A sentence of a paragraph. '.repeat(300)}\n\nAnother one.`],
    ['a nested list', '- a\n  - b\n    1. c\n       > d'],
    ['a rule and a table', `${'-'.repeat(80)}\n\n|a|b|\n|-|-|\n|1|2|`],
    ['a diff', '```diff\n--- a\n+++ b\n- - - x\n```'],
    ['code', `\`\`\`ts\n${' '.repeat(60)}return;\n\`\`\``],
  ])('of %s is parsed', (_name, text) => {
    expect(isParsed(text)).toBe(true);
    expect(lexer(text).length).toBeGreaterThan(0);
  });

  it.each([
    ['one dash after the other', `${'- '.repeat(3_000)}and`],
    ['quotes in quotes', `Well:\n${'>'.repeat(20_000)}`],
    ['numbers in numbers', '1. '.repeat(3_000)],
    [
      'a list that goes deeper with each line',
      Array.from({ length: 400 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n'),
    ],
    ['one endless line', '_a'.repeat(20_000)],
  ])('of %s is shown as its source', (_name, text) => {
    expect(isParsed(text)).toBe(false);
  });
});
