import { describe, expect, it } from '@jest/globals';
import type { CatalogueModel } from '../catalogue-model.js';
import { priceAt } from './price-at.js';
import { usageCost } from './usage-cost.js';

const model = {
  id: 'gm-x',
  prices: [
    {
      from: '2026-01-01',
      perMillion: { input_token: '2', output_token: '10' },
      longPrompt: { aboveInputTokens: 100, perMillion: { input_token: '4', output_token: '20' } },
    },
    { from: '2026-06-01', perMillion: { input_token: '1', output_token: '5' } },
  ],
} as unknown as CatalogueModel;

const at = (day: string): number => Date.parse(day);
const overrideOf = (id: string, from: string, perMillion: { output_token: string } | null) => ({
  id,
  model: 'gm-x',
  fromMs: at(from),
  perMillion,
});

describe('priceAt', () => {
  it('returns the last price that has begun, and none before the first', () => {
    expect(priceAt(model, at('2025-12-31'))).toBeUndefined();
    expect(priceAt(model, at('2026-05-31'))?.version).toBe('gm-x@2026-01-01');
    expect(priceAt(model, at('2026-06-01'))?.version).toBe('gm-x@2026-06-01');
  });

  it("applies the account's override from its start on, and the catalogue's price for units that it does not name", () => {
    const overrides = [overrideOf('7', '2026-02-01', { output_token: '8' })];
    expect(priceAt(model, at('2026-01-31'), overrides)?.version).toBe('gm-x@2026-01-01');
    const price = priceAt(model, at('2026-02-01'), overrides);
    expect(price).toEqual({
      version: 'gm-x@2026-01-01+7',
      perMillion: { input_token: '2', output_token: '8' },
      longPrompt: { aboveInputTokens: 100, perMillion: { input_token: '4', output_token: '20' } },
    });
  });

  it('follows later catalogue prices of units that the override does not name', () => {
    const overrides = [overrideOf('7', '2026-02-01', { output_token: '8' })];
    expect(priceAt(model, at('2026-03-01'), overrides)?.perMillion.input_token).toBe('2');
    expect(priceAt(model, at('2026-07-01'), overrides)).toEqual({
      version: 'gm-x@2026-06-01+7',
      perMillion: { input_token: '1', output_token: '8' },
    });
  });

  it('applies the latest override, among equals the newest, and none after a null override', () => {
    const overrides = [
      overrideOf('10', '2026-02-01', { output_token: '7' }),
      overrideOf('9', '2026-02-01', { output_token: '8' }),
      overrideOf('11', '2026-04-01', null),
      { ...overrideOf('12', '2026-01-01', { output_token: '0' }), model: 'another' },
    ];
    expect(priceAt(model, at('2026-03-01'), overrides)?.version).toBe('gm-x@2026-01-01+10');
    expect(priceAt(model, at('2026-05-01'), overrides)?.version).toBe('gm-x@2026-01-01');
  });

  it('applies the override of long prompts above the limit', () => {
    const override = {
      ...overrideOf('7', '2026-02-01', { output_token: '8' }),
      longPromptPerMillion: { output_token: '9' },
    };
    const price = priceAt(model, at('2026-02-01'), [override]);
    if (price === undefined) throw new Error('no price');
    expect(usageCost({ units: { output_token: 1_000_000 }, inputTokensTotal: 101 }, price)).toBe(9_000_000_000n);
    expect(usageCost({ units: { output_token: 1_000_000 }, inputTokensTotal: 100 }, price)).toBe(8_000_000_000n);
  });
});
