import { describe, expect, it } from '@jest/globals';
import { synthesizeTones } from './tones.js';

const BYTES_PER_CHARACTER = 2_880;

describe('synthesizeTones', () => {
  it('lasts 60 ms per character', () => {
    expect(synthesizeTones('')).toHaveLength(0);
    expect(synthesizeTones('Hi!')).toHaveLength(3 * BYTES_PER_CHARACTER);
    expect(synthesizeTones('世界😀')).toHaveLength(3 * BYTES_PER_CHARACTER);
  });

  it('differs for another text, and is silent for a space', () => {
    expect(synthesizeTones('ab').equals(synthesizeTones('ab'))).toBe(true);
    expect(synthesizeTones('ab').equals(synthesizeTones('ba'))).toBe(false);
    expect(synthesizeTones(' ').every((byte) => byte === 0)).toBe(true);
    expect(synthesizeTones('a').some((byte) => byte !== 0)).toBe(true);
  });
});
