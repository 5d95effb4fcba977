import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitTexts } from './split-texts.js';

describe('splitTexts', () => {
  it('fills each batch up to the limit of texts', () => {
    const texts = Array.from({ length: 25 }, (_, index) => `text ${index}`);
    expect(splitTexts(texts, { texts: 10, tokens: 33_000 }).map(({ length }) => length)).toEqual([10, 10, 5]);
  });

  it('starts a new batch at the limit of tokens', () => {
    const texts = ['a'.repeat(10), 'b'.repeat(10), 'c'.repeat(2), 'd'.repeat(30), 'e'];
    expect(splitTexts(texts, { texts: 10, tokens: 10 })).toEqual([
      [texts[0], texts[1]],
      [texts[2]],
      [texts[3]],
      [texts[4]],
    ]);
  });

  it('preserves every text, once and in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 40 }),
        (list, texts, tokens) => {
          const batches = splitTexts(list, { texts, tokens });
          expect(batches.flat()).toEqual(list);
          for (const batch of batches) {
            expect(batch.length).toBeGreaterThan(0);
            expect(batch.length).toBeLessThanOrEqual(texts);
          }
        },
      ),
    );
  });
});
