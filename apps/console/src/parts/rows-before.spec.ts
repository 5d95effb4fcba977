import { expect, it } from '@jest/globals';
import { rowsBefore } from './rows-before.js';

const own = (row: string): string => row;

it.each([
  [['a', 'b'], ['x', 'y', 'a', 'b'], 2],
  [['a', 'b'], ['a', 'b', 'c'], 0],
  [['a', 'b'], ['x', 'y'], 0],
  [[], ['a'], 0],
])('of %j in %j are %d', (known, rows, count) => {
  expect(rowsBefore(known, rows, own)).toBe(count);
});
