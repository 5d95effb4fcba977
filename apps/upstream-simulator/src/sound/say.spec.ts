import { describe, expect, it } from '@jest/globals';
import { say } from './say.js';

const BYTES_PER_CHARACTER = 2_880;

describe('say', () => {
  it('is as long as its text, sixty milliseconds a character', () => {
    expect(say('')).toHaveLength(0);
    expect(say('Hi!')).toHaveLength(3 * BYTES_PER_CHARACTER);
    expect(say('世界😀')).toHaveLength(3 * BYTES_PER_CHARACTER);
  });

  it('sounds unlike for another text, and is silent between words', () => {
    expect(say('ab').equals(say('ab'))).toBe(true);
    expect(say('ab').equals(say('ba'))).toBe(false);
    expect(say(' ').every((byte) => byte === 0)).toBe(true);
    expect(say('a').some((byte) => byte !== 0)).toBe(true);
  });
});
