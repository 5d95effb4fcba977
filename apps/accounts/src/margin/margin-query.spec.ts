import { describe, expect, it } from '@jest/globals';
import { marginQuery } from './margin-query.js';
import { byVendor, sumsView, totalOf } from './margin-view.js';

const query = marginQuery(new Date('2026-11-22T15:00:00Z'));
const line = {
  group: 'vg-4',
  label: null,
  requests: 3n,
  chargedNanoUsd: 1_500_000_000n,
  vendorCostNanoUsd: 900_000_000n,
  uncostedRequests: 1n,
  uncostedNanoUsd: 500_000_000n,
};

describe('marginQuery', () => {
  it('ends with the day of now, and has thirty days', () => {
    expect(query.parse({})).toMatchObject({
      from: new Date('2026-10-24T00:00:00Z'),
      to: new Date('2026-11-23T00:00:00Z'),
      groupBy: 'day',
    });
  });

  it.each([
    [{ from: '2026-11-23', to: '2026-11-22' }, 'to'],
    [{ from: '2024-11-23' }, 'from'],
    [{ from: '2026-11-22T10:00:00Z' }, 'from'],
    [{ to: '0001-01-01' }, 'to'],
    [{ group_by: 'moon' }, 'group_by'],
    [{ account_id: 'a\0b' }, 'account_id'],
  ])('refuses %j', (given, field) => {
    expect(query.safeParse(given).error?.issues[0]?.path).toEqual([field]);
  });
});

describe('the view of sums', () => {
  it('counts the margin of requests with a known cost only', () => {
    expect(sumsView(line)).toEqual({
      requests: 3,
      charged_usd: '1.50',
      vendor_cost_usd: '0.90',
      margin_usd: '0.10',
      margin_percent: '10.00',
      uncosted_requests: 1,
      uncosted_usd: '0.50',
    });
  });

  it('shows a loss, and no percent of nothing', () => {
    expect(sumsView({ ...line, vendorCostNanoUsd: 1_000_300_000n })).toMatchObject({
      margin_usd: '-0.0003',
      margin_percent: '-0.03',
    });
    expect(sumsView(totalOf([]))).toMatchObject({ margin_usd: '0.00', margin_percent: null });
  });

  it('joins the models of a vendor, and keeps models that are gone', () => {
    const lines = byVendor([line, { ...line, group: 'vg-4-large' }, { ...line, group: 'left the catalogue' }]);
    expect(lines.map(({ group, requests }) => [group, requests])).toEqual([
      ['voyage', 6n],
      ['unknown', 3n],
    ]);
  });
});
