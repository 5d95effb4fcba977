import { describe, expect, it } from '@jest/globals';
import type { CatalogueModel } from '../catalogue-model.js';
import { MODELS } from '../families/all-families.js';
import { asCharged, chargeInputSeconds } from './charge-input-seconds.js';
import { findModel } from './find-model.js';
import { modelEntry } from './model-entry.js';
import { priceAt } from './price-at.js';
import { vendorCostOf } from './vendor-cost.js';

const BEFORE = Date.parse('2026-10-31');
const NOW = Date.parse('2026-11-01');
const reference = findModel('wn2.7-r2v') as CatalogueModel;
const priced = (MODELS as readonly CatalogueModel[]).filter(({ video }) => video?.inputSeconds !== undefined);

describe('the price of input seconds', () => {
  it('is off: neither the price nor the list has it', () => {
    for (const model of priced) {
      expect(Object.keys(priceAt(model, NOW)?.perMillion ?? {}).join()).not.toContain('input');
      expect(JSON.stringify(modelEntry(model, NOW)?.pricing)).not.toContain('input');
    }
  });

  it('begins on its day under a version of its own, where it is charged', () => {
    const charged = chargeInputSeconds(reference);
    expect(priceAt(charged, BEFORE)).toEqual(priceAt(reference, BEFORE));
    expect(priceAt(charged, NOW)).toEqual({
      version: 'wn2.7-r2v@2026-11-01',
      perMillion: { second_720p: '100000', input_second_720p: '100000' },
    });
  });

  it('follows later prices of the model and keeps its own', () => {
    const later = { from: '2026-12-01', perMillion: { second_720p: '90000' } };
    const charged = chargeInputSeconds({ ...reference, prices: [...reference.prices, later] });
    expect(priceAt(charged, Date.parse('2026-12-01'))).toEqual({
      version: 'wn2.7-r2v@2026-12-01',
      perMillion: { second_720p: '90000', input_second_720p: '100000' },
    });
  });

  it('never begins on a day of another price, and covers every resolution', () => {
    expect(priced.map(({ id }) => id)).toEqual(['wn2.7-r2v', 'wn3.0-video', 'wn3.0-video-prime']);
    for (const { prices, video } of priced) {
      const days = prices.map(({ from }) => from);
      for (const { from, perMillion } of video?.inputSeconds?.prices ?? []) {
        expect(days).not.toContain(from);
        const units = video?.traits.resolutions.map((resolution) => `input_second_${resolution}`);
        expect(Object.keys(perMillion)).toEqual(units);
      }
    }
  });

  it('is a cost of the vendor, charged or not', () => {
    const usage = { units: { second_720p: 5, input_second_720p: 4 }, inputTokensTotal: 0 };
    expect(vendorCostOf(reference, usage, NOW)).toBe(900_000_000n);
    expect(vendorCostOf(chargeInputSeconds(reference), usage, NOW)).toBe(900_000_000n);
  });

  it('leaves every other model as it is, and makes one object for each', () => {
    const other = findModel('wn2.7-t2v') as CatalogueModel;
    expect(chargeInputSeconds(other)).toBe(other);
    expect(chargeInputSeconds(reference)).toBe(chargeInputSeconds(reference));
    expect(chargeInputSeconds(chargeInputSeconds(reference))).toBe(chargeInputSeconds(reference));
  });

  it('has its price where the installation charges it', () => {
    expect(asCharged(reference, { chargesInputSeconds: true })).toBe(chargeInputSeconds(reference));
    expect(asCharged(reference, { chargesInputSeconds: false })).toBe(reference);
  });
});
