import { describe, expect, it } from '@jest/globals';
import { usageCsv } from './usage-csv.js';
import { usageQuery } from './usage-period.js';

const query = usageQuery(new Date('2026-11-21T11:47:00Z'), 'UTC');

describe('the period of a usage statement', () => {
  it('is the last 30 days by default', () => {
    expect(query.parse({})).toEqual({
      from: new Date('2026-10-22T12:00:00Z'),
      to: new Date('2026-11-21T12:00:00Z'),
      groups: ['day'],
      timeZone: 'UTC',
      format: 'json',
    });
  });

  it('includes the whole day of an end without a time', () => {
    expect(query.parse({ from: '2026-11-01', to: '2026-11-01' })).toMatchObject({
      from: new Date('2026-11-01T00:00:00Z'),
      to: new Date('2026-11-02T00:00:00Z'),
    });
    expect(query.parse({ from: '2026-11-01', to: '2026-11-01T06:00:00+02:00' })).toMatchObject({
      to: new Date('2026-11-01T04:00:00Z'),
    });
  });

  it('has the days of the account, whose length the clocks may change', () => {
    const berlin = usageQuery(new Date(), 'Europe/Berlin');
    expect(berlin.parse({ from: '2026-10-25', to: '2026-10-25', group_by: 'hour,model,key' })).toMatchObject({
      from: new Date('2026-10-24T22:00:00Z'),
      to: new Date('2026-10-25T23:00:00Z'),
      groups: ['hour', 'model', 'key'],
    });
  });

  it('accepts an offset whose plus sign arrived as a space', () => {
    expect(query.parse({ from: '2026-11-01', to: '2026-11-01T06:00:00 02:00' })).toMatchObject({
      to: new Date('2026-11-01T04:00:00Z'),
    });
  });

  it.each([
    [{ from: ['2026-11-01', '2026-11-02'] }, 'from'],
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '2026-11-01T00:00:00' }, 'from'],
    [{ from: '2026-11-02', to: '2026-11-01' }, 'to'],
    [{ from: '2020-01-01', to: '2026-11-01' }, 'from'],
    [{ from: 'yesterday' }, 'from'],
    [{ to: '0001-01-01' }, 'to'],
    [{ from: '0000-01-01', to: '0000-01-02' }, 'from'],
    [{ group_by: 'colour' }, 'group_by'],
    [{ group_by: 'day,month' }, 'group_by'],
    [{ group_by: 'model,model' }, 'group_by'],
    [{ group_by: 'model,key,endpoint' }, 'group_by'],
    [{ group_by: '' }, 'group_by'],
    [{ group_by: 'hour', from: '2026-09-01', to: '2026-11-01' }, 'from'],
  ])('refuses %j and names the field', (given, field) => {
    expect(query.safeParse(given).error?.issues[0]?.path).toEqual([field]);
  });
});

describe('a usage statement as CSV', () => {
  it('has a column for each unit', () => {
    const line = (group: string, units: Record<string, number>) => ({
      groups: ['2026-11', group],
      requests: 2n,
      costNanoUsd: 5_000_000n,
      units,
    });
    expect(usageCsv(['month', 'model'], [line('a', { output_token: 3 }), line('b', { input_token: 1 })])).toBe(
      'month,model,requests,cost_usd,input_token,output_token\r\n2026-11,a,2,0.005,0,3\r\n2026-11,b,2,0.005,1,0\r\n',
    );
  });

  it('names keys beside their ids', () => {
    const line = (key: string) => ({ groups: [key], requests: 1n, costNanoUsd: 0n, units: {} });
    const nameOf = ([key]: readonly (string | null)[]) => (key === 'key_a' ? 'Website' : null);
    expect(usageCsv(['key'], [line('key_a'), line('key_b')], nameOf)).toBe(
      'key,key_name,requests,cost_usd\r\nkey_a,Website,1,0.00\r\nkey_b,,1,0.00\r\n',
    );
  });
});
