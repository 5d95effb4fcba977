import { expect, it } from '@jest/globals';
import { exactTime, monthName } from './time.js';

it.each([
  ['2026-11', 'en', 'November 2026'],
  ['2026-01', 'zh', '2026年1月'],
  ['soon', 'en', 'soon'],
  ['2026-13', 'en', '2026-13'],
])('names the month %s in %s', (month, locale, name) => {
  expect(monthName(month, locale)).toBe(name);
});

it('says a time in the zone of a document', () => {
  const time = new Date('2026-10-31T23:00:00.000Z');
  expect(exactTime(time, 'en', 'UTC')).toBe('Oct 31, 2026, 23:00:00');
  expect(exactTime(time, 'en', 'Europe/Berlin')).toBe('Nov 1, 2026, 00:00:00');
});
