import { expect, it } from '@jest/globals';
import { nextRow } from './next-row.js';

const place = { index: 5, count: 100, inView: 20 };

it.each([
  ['ArrowDown', 6],
  ['ArrowUp', 4],
  ['PageDown', 25],
  ['PageUp', 0],
  ['Home', 0],
  ['End', 99],
])('moves by %s', (key, target) => {
  expect(nextRow(key, place)).toBe(target);
});

it('stays within the list', () => {
  expect(nextRow('ArrowDown', { ...place, index: 99 })).toBe(99);
  expect(nextRow('ArrowUp', { ...place, index: 0 })).toBe(0);
  expect(nextRow('PageDown', { ...place, index: 95 })).toBe(99);
});

it('leaves other keys to the page', () => {
  expect(nextRow('Tab', place)).toBeUndefined();
  expect(nextRow('a', place)).toBeUndefined();
});
