import { describe, expect, it } from '@jest/globals';
import { nanoOf } from './decimal-nano.js';
import { expectedCost } from './price-oracle.js';

const model = {
  id: 'm',
  pricing: {
    per_million: { input_token: '3', cached_input_token: '0.30', output_token: '15' },
    long_prompt: { above_input_tokens: 100, per_million: { input_token: '6', output_token: '30' } },
  },
};
const nothing = { input_tokens: 0, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 0 };

describe('expectedCost', () => {
  it('multiplies each part of an invoice by its published price', () => {
    expect(expectedCost(model, { ...nothing, input_tokens: 10, cached_input_tokens: 20, output_tokens: 2 })).toBe(
      66_000n,
    );
  });

  it('prices other units by the name of the unit', () => {
    const painter = { id: 'p', pricing: { per_million: { input_token: '5', image: '40000' } } };
    expect(expectedCost(painter, { ...nothing, input_tokens: 2, units: { image: 3 } })).toBe(120_010_000n);
    expect(() => expectedCost(painter, { ...nothing, units: { second: 1 } })).toThrow('second');
  });

  it('rounds up once', () => {
    const cheap = { id: 'm', pricing: { per_million: { input_token: '0.000001', output_token: '0.000001' } } };
    expect(expectedCost(cheap, { ...nothing, input_tokens: 1, output_tokens: 1 })).toBe(1n);
  });

  it('applies the long-prompt price only above its threshold', () => {
    expect(expectedCost(model, { ...nothing, input_tokens: 100 })).toBe(300_000n);
    expect(expectedCost(model, { ...nothing, input_tokens: 101 })).toBe(606_000n);
  });

  it('rejects units without a published price', () => {
    expect(() => expectedCost(model, { ...nothing, cache_write_tokens: 1 })).toThrow('cache_write_token');
  });

  it('reads decimals exactly', () => {
    expect(nanoOf('4.998213')).toBe(4_998_213_000n);
    expect(nanoOf('-0.5')).toBe(-500_000_000n);
    expect(() => nanoOf('1e3')).toThrow();
  });
});
