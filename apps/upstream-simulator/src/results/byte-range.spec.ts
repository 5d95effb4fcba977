import { describe, expect, it } from '@jest/globals';
import { readRange } from './byte-range.js';

describe('a range of a thousand bytes', () => {
  it.each([
    ['bytes=0-99', { first: 0, last: 99 }],
    ['bytes=900-', { first: 900, last: 999 }],
    ['bytes=900-5000', { first: 900, last: 999 }],
    ['bytes=-10', { first: 990, last: 999 }],
    ['bytes=-5000', { first: 0, last: 999 }],
  ])('%s is a part', (header, range) => {
    expect(readRange(header, 1_000)).toEqual(range);
  });

  it.each([undefined, 'bytes=', 'bytes=-', 'bytes=9-3', 'bytes=0-1,5-6', 'lines=0-9'])('%s is the whole', (header) => {
    expect(readRange(header, 1_000)).toBe('whole');
  });

  it.each(['bytes=1000-', 'bytes=-0'])('%s is none', (header) => {
    expect(readRange(header, 1_000)).toBe('none');
  });
});
