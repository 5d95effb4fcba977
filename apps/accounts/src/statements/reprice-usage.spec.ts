import { MODELS } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { repriceUsage } from './reprice-usage.js';

const AT_MS = Date.parse('2026-11-01T00:00:00Z');
const flash = MODELS.find(({ id }) => id === 'gm-2.5-flash');
if (flash === undefined) throw new Error('the catalogue has no gm-2.5-flash');

const line = (units: Record<string, number>) => ({ model: 'gp-5.4', requests: 2n, costNanoUsd: 9_000n, units });

describe('repriceUsage', () => {
  it('prices the same units on another model, with the prices of the account', () => {
    const override = { id: '1', model: flash.id, fromMs: 0, perMillion: { input_token: '2' } };
    const [repriced] = repriceUsage([line({ input_token: 1_000 })], flash, [override as never], AT_MS);
    expect(repriced).toMatchObject({ otherNanoUsd: 2_000_000n, unpricedUnits: [], costNanoUsd: 9_000n });
  });

  it('names the units that the other model does not price, and gives no sum', () => {
    const [repriced] = repriceUsage([line({ input_token: 1_000, image_square: 3 })], flash, [], AT_MS);
    expect(repriced).toMatchObject({ otherNanoUsd: null, unpricedUnits: ['image_square'] });
  });

  it('ignores units of which there are none', () => {
    const [repriced] = repriceUsage([line({ input_token: 0, image_square: 0 })], flash, [], AT_MS);
    expect(repriced).toMatchObject({ otherNanoUsd: 0n, unpricedUnits: [] });
  });
});
