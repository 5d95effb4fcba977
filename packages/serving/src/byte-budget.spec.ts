import { expect, it } from '@jest/globals';
import { ByteBudget } from './byte-budget.js';

it('reserves up to its limit, and again what was released', () => {
  const { reserve, release } = new ByteBudget(10);
  expect([reserve(4), reserve(6), reserve(1)]).toEqual([true, true, false]);
  release(4);
  expect([reserve(5), reserve(4)]).toEqual([false, true]);
});
