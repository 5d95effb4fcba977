import { expect, it } from '@jest/globals';
import { duration, exactTime, monthName, shortTime } from './time.js';

it.each([
  ['2026-11', 'en', 'November 2026'],
  ['2026-01', 'zh', '2026年1月'],
  ['soon', 'en', 'soon'],
  ['2026-13', 'en', '2026-13'],
])('names the month %s in %s', (month, locale, name) => {
  expect(monthName(month, locale)).toBe(name);
});

it('says a time in the zone of a document, and which zone that is', () => {
  const time = new Date('2026-10-31T23:00:00.000Z');
  expect(exactTime(time, 'en', 'UTC')).toBe('Oct 31, 2026, 23:00:00 UTC');
  expect(exactTime(time, 'en', 'Europe/Berlin')).toBe('Nov 1, 2026, 00:00:00 GMT+1');
});

it.each([
  [840, '840 ms'],
  [999.7, '1 sec'],
  [3_240, '3.2 sec'],
  [99_000, '99 sec'],
  [240_000, '4 min'],
  [24 * 3_600_000, '24 hr'],
  [10 * 24 * 3_600_000, '10 days'],
])('says %d milliseconds in a unit that a person reads', (milliseconds, words) => {
  expect(duration(milliseconds, 'en')).toBe(words);
});

it.each([
  [new Date(2026, 10, 22, 9, 4, 5), '09:04:05'],
  [new Date(2026, 0, 2, 15, 4), 'Jan 2, 15:04'],
  [new Date(2025, 10, 22, 15, 4), 'Nov 22, 2025'],
])('says which day or year a time is of, if it is another one', (time, words) => {
  expect(shortTime(time, new Date(2026, 10, 22, 12), 'en')).toBe(words);
});
