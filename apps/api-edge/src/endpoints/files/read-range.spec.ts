import { describe, expect, it } from '@jest/globals';
import { readRange } from './read-range.js';

const ENTITY = { entityTag: '"abc"', bytes: 1_000 };
const get = (headers: object) => ({ method: 'GET', headers });

describe('a range', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-499', { start: 0, end: 499 }],
    ['bytes=500-', { start: 500, end: 999 }],
    ['bytes=-100', { start: 900, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=990-5000', { start: 990, end: 999 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=2000-3000', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=-99999999999999999999', { start: 0, end: 999 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=0-9,500-509', undefined],
    ['bytes=9-0', undefined],
    ['bytes=2000-1000', undefined],
    ['bytes=a-b', undefined],
    ['bytes=-', undefined],
    ['items=0-9', undefined],
    ['bytes', undefined],
    ['', undefined],
  ])('%s', (range, expected) => {
    expect(readRange(get({ range }), ENTITY)).toEqual(expected);
  });

  it.each(['bytes=0-9', 'bytes=1000-'])('is ignored for HEAD, which describes the whole: %s', (range) => {
    expect(readRange({ method: 'HEAD', headers: { range } }, ENTITY)).toBeUndefined();
  });

  it('counts only for the entity that the client has', () => {
    const range = 'bytes=0-9';
    expect(readRange(get({ range, 'if-range': '"abc"' }), ENTITY)).toEqual({ start: 0, end: 9 });
    for (const other of ['"other"', 'W/"abc"', 'Sun, 22 Nov 2026 15:00:00 GMT']) {
      expect(readRange(get({ range, 'if-range': other }), ENTITY)).toBeUndefined();
    }
  });
});
