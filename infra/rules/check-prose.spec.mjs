import { describe, expect, it } from '@jest/globals';
import { figuresOf, isTooLong, sentencesOfComments, sentencesOfDocument } from './check-prose.mjs';

describe('sentences of a document', () => {
  it('are those of paragraphs and list items', () => {
    const text = 'One is here. Two\nis there.\n\n- three in a list\n- four in a list\n';
    expect(sentencesOfDocument(text)).toEqual(['One is here.', 'Two is there.', 'three in a list', 'four in a list']);
  });

  it('are not taken from headings, tables and code blocks', () => {
    const text =
      '# A heading here\n\n| a cell here | b |\n| --- | --- |\n\n```sh\nnpm run this now\n```\n\nOnly this counts.\n';
    expect(sentencesOfDocument(text)).toEqual(['Only this counts.']);
  });

  it('count code as one word and a link as its text', () => {
    const text = 'Run `npm run check -- --all of it` as [this page](docs/a.md) says.';
    expect(sentencesOfDocument(text)).toEqual(['Run code as this page says.']);
  });
});

describe('sentences of comments', () => {
  it('are those of blocks and of runs of lines', () => {
    const text = '/**\n * A block of\n * two lines.\n */\n// A run of\n// two lines.\nconst a = 1; // none\n';
    expect(sentencesOfComments(text)).toEqual(['A block of two lines.', 'A run of two lines.']);
  });
});

describe('the limits', () => {
  const sentenceOf = (words) => Array.from({ length: words }, () => 'word').join(' ');

  it('accept short sentences', () => {
    expect(isTooLong(figuresOf([sentenceOf(8), sentenceOf(13), sentenceOf(20)]))).toBe(false);
  });

  it('refuse a median above 13 words', () => {
    expect(isTooLong(figuresOf([sentenceOf(14), sentenceOf(14), sentenceOf(14)]))).toBe(true);
  });

  it('refuse one sentence in ten above 24 words', () => {
    const sentences = [...Array.from({ length: 9 }, () => sentenceOf(5)), sentenceOf(25)];
    expect(isTooLong(figuresOf(sentences))).toBe(true);
  });
});
