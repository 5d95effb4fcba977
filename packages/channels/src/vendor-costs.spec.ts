import { beforeEach, describe, expect, it } from '@jest/globals';
import { VendorCosts } from './vendor-costs.js';

const counted = new Map<string, number>();
const registry = {
  counter: () => ({
    inc: ({ model, source }: Record<string, string | undefined>, value = 1) => {
      const series = `${model} ${source}`;
      counted.set(series, (counted.get(series) ?? 0) + value);
    },
  }),
  gauge: () => ({ set: () => undefined }),
};
const costs = () => new VendorCosts(registry, [{ id: 'gk-video' }]);
const call = { model: 'gk-video', isTest: false, chargedNanoUsd: 300n };

beforeEach(() => counted.clear());

describe('VendorCosts', () => {
  it('starts every model at zero', () => {
    costs();
    expect([...counted]).toEqual([
      ['gk-video reported', 0],
      ['gk-video charged', 0],
    ]);
  });

  it('counts the cost that the last attempt reports, and the charge', () => {
    costs().compare({ ...call, attempts: [{ vendorCostNanoUsd: '7' }, { vendorCostNanoUsd: '250' }] });
    expect([...counted.values()]).toEqual([250, 300]);
  });

  it.each([
    ['a vendor that reports no cost', { ...call, attempts: [{}] }],
    ['a call that was never made', { ...call, attempts: [] }],
    ['a test key', { ...call, isTest: true, attempts: [{ vendorCostNanoUsd: '250' }] }],
  ])('counts nothing for %s', (_what, charged) => {
    costs().compare(charged);
    expect([...counted.values()]).toEqual([0, 0]);
  });
});
