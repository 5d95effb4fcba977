import { describe, expect, it } from '@jest/globals';
import { sumUsage } from './sum-usage.js';
import type { Usage } from './usage.js';

const counted: Usage = { units: { input_token: 2, output_token: 3 }, inputTokensTotal: 2, isEstimated: false };
const estimated: Usage = { units: { output_token: 5, web_search: 1 }, inputTokensTotal: 4, isEstimated: true };

describe('the usage of two calls', () => {
  it('is the sum of each unit', () => {
    expect(sumUsage(counted, estimated)).toMatchObject({
      units: { input_token: 2, output_token: 8, web_search: 1 },
      inputTokensTotal: 6,
    });
  });

  it('is an estimate if either one is', () => {
    const sums = [sumUsage(counted, counted), sumUsage(estimated, counted), sumUsage(counted, estimated)];
    expect(sums.map(({ isEstimated }) => isEstimated)).toEqual([false, true, true]);
  });

  it('names what has no price in either one, once', () => {
    const [one, other] = [
      { ...counted, unpriced: ['a', 'b'] },
      { ...counted, unpriced: ['b'] },
    ];
    expect(sumUsage(one, other).unpriced).toEqual(['a', 'b']);
    expect(sumUsage(counted, counted)).not.toHaveProperty('unpriced');
  });
});
