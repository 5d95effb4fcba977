import { describe, expect, it } from '@jest/globals';
import { lastDays, startOfDay, thisMonth } from './days.js';

/** In Tokyo it is the first of March already. */
const NOW = Date.parse('2026-02-28T16:00:00Z');

describe('the days of an organisation', () => {
  it('are those of its time zone', () => {
    expect(lastDays(3, 'UTC', NOW)).toEqual({ from: '2026-02-26', to: '2026-02-28' });
    expect(lastDays(3, 'Asia/Tokyo', NOW)).toEqual({ from: '2026-02-27', to: '2026-03-01' });
  });

  it('begin a month in it', () => {
    expect(thisMonth('UTC', NOW)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(thisMonth('Asia/Tokyo', NOW)).toEqual({ from: '2026-03-01', to: '2026-03-01' });
  });

  it.each([
    ['2026-11-01', 'UTC', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01', 'Asia/Tokyo', '2026-10-31T15:00:00.000Z'],
    ['2026-11-01', 'Asia/Kathmandu', '2026-10-31T18:15:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ])('begins %s in %s at %s', (day, timeZone, start) => {
    expect(startOfDay(day, timeZone)).toBe(start);
  });
});
