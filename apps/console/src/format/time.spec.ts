import { expect, it } from '@jest/globals';
import { monthName } from './time.js';

it.each([
  ['2026-11', 'en', 'November 2026'],
  ['2026-01', 'zh', '2026年1月'],
  ['soon', 'en', 'soon'],
  ['2026-13', 'en', '2026-13'],
])('names the month %s in %s', (month, locale, name) => {
  expect(monthName(month, locale)).toBe(name);
});
