import { countSpeechCharacters } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitSpeech } from './split-speech.js';

describe('splitSpeech', () => {
  it('returns a text below the limit as one part', () => {
    expect(splitSpeech('One. Two! Three?', 16)).toEqual(['One. Two! Three?']);
  });

  it('cuts at ends of sentences, also in Chinese', () => {
    expect(splitSpeech('First one here. Second one here. Third one here.', 34)).toEqual([
      'First one here. Second one here. ',
      'Third one here.',
    ]);
    expect(splitSpeech('今天天气很好。我们去公园。', 16)).toEqual(['今天天气很好。', '我们去公园。']);
  });

  it('cuts a long sentence between words, and a long word between graphemes', () => {
    expect(splitSpeech('one two three four five', 10)).toEqual(['one two ', 'three four', ' five']);
    expect(splitSpeech('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(splitSpeech('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 7)).toEqual(['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦']);
  });

  it('drops parts of only white space', () => {
    expect(splitSpeech(`Here.${' '.repeat(50)}There.`, 10).map((part) => part.trim())).toEqual(['Here.', 'There.']);
  });

  it('preserves every character in order, within the limit', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'bc ', '. ', '漢', 'か', '\n', '。', '! ', '😀', ','),
      maxLength: 300,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 60 }), (whole, limit) => {
        const parts = splitSpeech(whole, limit);
        expect(parts.join('').replace(/\s/g, '')).toBe(whole.replace(/\s/g, ''));
        for (const part of parts) expect(countSpeechCharacters(part)).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
