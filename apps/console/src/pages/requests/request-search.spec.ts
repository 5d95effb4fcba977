import { describe, expect, it } from '@jest/globals';
import { filterOf, queryOf } from './request-search.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');

describe('the filter of requests', () => {
  it('has the filters of the address only', () => {
    expect(filterOf({ open: 'req_1', order: 'oldest', model: 'm', since: 'day' })).toMatchObject({
      model: 'm',
      since: 'day',
    });
    expect(Object.keys(filterOf({ open: 'req_1' }))).not.toContain('open');
  });

  it('begins some time ago, or exactly when it says', () => {
    expect(queryOf({ since: 'hour', model: 'm' }, NOW)).toEqual({ model: 'm', from: '2026-11-22T11:00:00.000Z' });
    expect(queryOf({ since: 'week' }, NOW)).toEqual({ from: '2026-11-15T12:00:00.000Z' });
    expect(queryOf({ since: 'hour', from: '2026-11-01T00:00:00.000Z' }, NOW)).toEqual({
      from: '2026-11-01T00:00:00.000Z',
    });
    expect(queryOf({ since: 'toString' }, NOW)).toEqual({ from: undefined });
  });
});
