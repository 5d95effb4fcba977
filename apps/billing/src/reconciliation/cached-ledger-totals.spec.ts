import { expect, it } from '@jest/globals';
import { nextReadAtMs } from './cached-ledger-totals.js';

it('waits twenty times as long as a read lasted, and at most a minute', () => {
  expect(nextReadAtMs(1_000, 1_000)).toBe(1_000);
  expect(nextReadAtMs(1_000, 1_400)).toBe(9_000);
  expect(nextReadAtMs(1_000, 15_000)).toBe(61_000);
});
