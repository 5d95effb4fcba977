import { describe, expect, it } from '@jest/globals';
import { limitOf } from './key-limits.js';

describe('the limit of a key', () => {
  it.each([
    ['the default where nobody says anything', null, null, 600],
    ['its own', 5, null, 5],
    ['its own, also above the default', 9_000, null, 9_000],
    ['unlimited if it says so', 0, null, 0],
    ['the account’s where it has none', null, 40, 40],
    ['the account’s where it wants more', 90, 40, 40],
    ['the account’s where it wants no limit', 0, 40, 40],
    ['its own within the account’s', 7, 40, 7],
    ['its own where the account is unlimited', 7, 0, 7],
    ['unlimited where the account is and it says nothing', null, 0, 0],
  ])('is %s', (_words, key, account, expected) => {
    expect(limitOf(key, account, 600)).toBe(expected);
  });
});
