import { describe, expect, it } from '@jest/globals';
import { hasEntityTag, meetsIfMatch } from './entity-tags.js';

describe('a condition', () => {
  it.each([
    [undefined, false],
    ['"abc"', true],
    ['W/"abc"', true],
    ['"x", "abc"', true],
    ['*', true],
    ['"ab"', false],
    ['abc', false],
  ])('If-None-Match: %s', (header, expected) => {
    expect(hasEntityTag(header, '"abc"')).toBe(expected);
  });

  it.each([
    [undefined, true],
    ['"abc"', true],
    ['"x", "abc"', true],
    ['*', true],
    ['W/"abc"', false],
    ['"ab"', false],
    ['abc', false],
    ['', false],
  ])('If-Match: %s', (header, expected) => {
    expect(meetsIfMatch(header, '"abc"')).toBe(expected);
  });
});
