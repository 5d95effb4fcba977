import { describe, expect, it } from '@jest/globals';
import type { CatalogueModel } from '../catalogue-model.js';
import { MODELS } from '../families/all-families.js';
import { findModel } from './find-model.js';
import { priceAt } from './price-at.js';
import { vendorCostOf, vendorPriceAt } from './vendor-cost.js';

const NOW = Date.parse('2026-11-01');
const listed = findModel('vg-4-large') as CatalogueModel;
const discounted: CatalogueModel = {
  ...listed,
  vendorCosts: [
    { from: '2026-01-15', perMillion: { input_token: '0.10' } },
    { from: '2026-10-01', perMillion: { input_token: '0.08' } },
  ],
};
const usage = { units: { input_token: 1_000_000 }, inputTokensTotal: 1_000_000 };

describe('the cost at the vendor', () => {
  it('is the list price where the catalogue has no other', () => {
    expect(vendorPriceAt(listed, NOW)).toEqual(priceAt(listed, NOW));
    expect(vendorCostOf(listed, usage, NOW)).toBe(120_000_000n);
  });

  it('is dated like prices', () => {
    expect(vendorCostOf(discounted, usage, Date.parse('2026-09-30'))).toBe(100_000_000n);
    expect(vendorCostOf(discounted, usage, NOW)).toBe(80_000_000n);
    expect(vendorPriceAt(discounted, NOW)?.version).toBe('vg-4-large@2026-10-01:vendor');
    expect(vendorPriceAt(discounted, NOW)).toBe(vendorPriceAt(discounted, NOW));
  });

  it('is unknown before the first price, and for a unit without one', () => {
    expect(vendorCostOf(discounted, usage, Date.parse('2026-01-01'))).toBeUndefined();
    expect(vendorCostOf(listed, { units: { image: 1 }, inputTokensTotal: 0 }, NOW)).toBeUndefined();
  });

  it('has a cost for each unit that has a price, wherever it differs from the price', () => {
    for (const { id, prices, vendorCosts } of MODELS as readonly CatalogueModel[]) {
      const units = new Set(prices.flatMap(({ perMillion }) => Object.keys(perMillion)));
      for (const cost of vendorCosts ?? []) expect([id, Object.keys(cost.perMillion)]).toEqual([id, [...units]]);
    }
  });
});
