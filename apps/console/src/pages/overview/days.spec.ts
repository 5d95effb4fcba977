import { describe, expect, it } from '@jest/globals';
import { lastDays, thisMonth } from './days.js';

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
});
