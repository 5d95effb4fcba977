import { describe, expect, it } from '@jest/globals';
import { effectiveLimit } from './key-limits.js';

describe('the limit of a key', () => {
  it.each([
    ['the default without any setting', null, null, 600],
    ['its own', 5, null, 5],
    ['its own, even above the default', 9_000, null, 9_000],
    ['unlimited if set to 0', 0, null, 0],
    ['the account’s if it has none', null, 40, 40],
    ['the account’s if its own is higher', 90, 40, 40],
    ['the account’s if it is unlimited', 0, 40, 40],
    ['its own within the account’s', 7, 40, 7],
    ['its own if the account is unlimited', 7, 0, 7],
    ['unlimited if the account is and it has none', null, 0, 0],
  ])('is %s', (_words, key, account, expected) => {
    expect(effectiveLimit(key, account, 600)).toBe(expected);
  });
});
