import { findModel, priceAt } from '@gateway/catalogue';
import type { SyncTicket, Usage, UsageApart } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { ticketOf } from '../test-support/fakes.js';
import { priceUsage, vendorCostOfUsage } from './price-usage.js';

const AT = Date.parse('2026-11-01');

function ticket(model: string, more: Partial<SyncTicket> = {}): SyncTicket {
  const found = findModel(model);
  const price = found && priceAt(found, AT);
  if (price === undefined) throw new Error(`no price of ${model}`);
  return ticketOf({ model, price: price as SyncTicket['price'], admittedAtMs: AT, ...more });
}

const tokens = (input: number, output: number, apart: readonly UsageApart[] = []): Usage => ({
  units: { input_token: input, output_token: output },
  inputTokensTotal: input,
  isEstimated: false,
  apart,
});

const part = (type: string, model: string | undefined, input: number, output: number): UsageApart => ({
  type,
  ...(model !== undefined && { model }),
  units: { input_token: input, output_token: output },
  inputTokensTotal: input,
});

describe('priceUsage', () => {
  it('adds a summary of the context at the price of the same model', () => {
    // Recorded: 682 + 60,385 input and 1,320 + 592 output tokens of Opus at 5 and 25 USD.
    const priced = priceUsage(ticket('cl-opus-4-7'), tokens(682, 1_320, [part('compaction', undefined, 60_385, 592)]));
    expect(priced.units).toEqual({
      input_token: 682,
      output_token: 1_320,
      'compaction.input_token': 60_385,
      'compaction.output_token': 592,
    });
    expect(priced.costNanoUsd).toBe(353_135_000n);
    expect(priced.unpriced).toEqual([]);
  });

  it('adds an advisor at the price of its own model', () => {
    // Recorded: Sonnet at 3 and 15 USD, with an advice of Opus at 5 and 25 USD.
    const advice = part('advisor_message', 'claude-opus-4-7', 2_728, 874);
    const priced = priceUsage(ticket('cl-sonnet-4-6'), tokens(2_414, 3_200, [advice]));
    expect(priced.costNanoUsd).toBe(90_732_000n);
    expect(priced.unitPrices).toMatchObject({ input_token: '3', 'cl-opus-4-7.input_token': '5' });
  });

  it('prices a fallback by the model that served it', () => {
    const served = { ...tokens(0, 0, [part('fallback_message', 'claude-opus-4-7', 412, 264)]), units: {} };
    const priced = priceUsage(ticket('cl-haiku-5-5'), served);
    expect(priced.costNanoUsd).toBe(8_660_000n);
    expect(priced.units).toEqual({ 'cl-opus-4-7.input_token': 412, 'cl-opus-4-7.output_token': 264 });
  });

  it('prices each prompt by its own length, and shows both prices', () => {
    const price = {
      version: 'm@2026-01-01',
      perMillion: { input_token: '1', output_token: '2' },
      longPrompt: { aboveInputTokens: 100, perMillion: { input_token: '3', output_token: '4' } },
    };
    const prompts = [part('message', undefined, 60, 1), part('message', undefined, 200, 1)];
    const priced = priceUsage(ticketOf({ price }), { ...tokens(0, 0, prompts), units: {} });
    expect(priced.units).toEqual({
      input_token: 60,
      output_token: 1,
      'long_prompt.input_token': 200,
      'long_prompt.output_token': 1,
    });
    expect(priced.costNanoUsd).toBe(60_000n + 2_000n + 600_000n + 4_000n);
  });

  it('raises a model that the catalogue does not have, instead of a price that it does not know', () => {
    const priced = priceUsage(
      ticket('cl-sonnet-4-6'),
      tokens(1, 1, [part('advisor_message', 'claude-unheard-of', 9, 9)]),
    );
    expect(priced.unpriced).toEqual(['advisor_message of claude-unheard-of']);
    expect(priced.units).toEqual({ input_token: 1, output_token: 1 });
  });

  it('finds a model by a name with a date, and charges a test key nothing', () => {
    const advice = [part('advisor_message', 'claude-opus-4-7-20260416', 1_000_000, 0)];
    expect(priceUsage(ticket('cl-sonnet-4-6'), tokens(0, 0, advice)).costNanoUsd).toBe(5_000_000_000n);
    expect(priceUsage(ticket('cl-sonnet-4-6', { isTest: true }), tokens(5, 5, advice)).costNanoUsd).toBe(0n);
  });
});

describe('vendorCostOfUsage', () => {
  const usage = tokens(1_000_000, 0);

  it('is the list price, also of an account with a price of its own', () => {
    const list = ticket('vg-4-large');
    const own = {
      ...list,
      price: {
        ...list.price,
        version: `${list.price.version}+7`,
        perMillion: { input_token: '0.06', output_token: '0' },
      },
    };
    expect(priceUsage(own, usage).costNanoUsd).toBe(60_000_000n);
    expect(vendorCostOfUsage(own, usage)).toBe(120_000_000n);
  });

  it('adds what the vendor bills for calls of its own', () => {
    const advice = part('advisor_message', 'claude-opus-4-7', 2_728, 874);
    expect(vendorCostOfUsage(ticket('cl-sonnet-4-6'), tokens(2_414, 3_200, [advice]))).toBe(90_732_000n);
  });

  it('is nothing for a test key, and unknown where a part has no price', () => {
    expect(vendorCostOfUsage(ticket('vg-4-large', { isTest: true }), usage)).toBe(0n);
    expect(vendorCostOfUsage(ticket('vg-4-large'), { ...usage, unpriced: ['iterations'] })).toBeUndefined();
    expect(vendorCostOfUsage(ticket('cl-sonnet-4-6'), tokens(1, 1, [part('x', 'unknown', 1, 1)]))).toBeUndefined();
  });
});
