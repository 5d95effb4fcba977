import { describe, expect, it } from '@jest/globals';
import { BILL_FORMS, formOf, nanoUsdOf } from './bill-forms.js';

const read = (id: string, row: Record<string, string>) => BILL_FORMS.find((form) => form.id === id)?.read(row);

describe('forms of exports', () => {
  it.each([
    ['openai-costs', 'start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,quantity,line_item'],
    [
      'openai-usage',
      'start_time,end_time,start_time_iso,model,num_model_requests,input_tokens,input_cached_tokens,output_tokens',
    ],
    [
      'anthropic-usage',
      'usage_date_utc,model_version,api_key,usage_input_tokens_no_cache,usage_input_tokens_cache_read,usage_output_tokens',
    ],
    [
      'anthropic-costs',
      'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd',
    ],
    ['plain', 'day,model,cost_usd,upstream_id'],
  ])('know %s by its columns', (id, columns) => {
    expect(formOf(columns.split(','))?.id).toBe(id);
  });

  it('do not know others', () => {
    expect(formOf(['a', 'b'])).toBeUndefined();
  });

  it("read OpenAI's costs", () => {
    const costs = { start_time: '1790553600', start_time_iso: '2026-09-28T00:00:00', line_item: 'gpt-5.4-mini, input' };
    expect(read('openai-costs', { ...costs, amount_value: '0.003835980000000000000000000000' })).toEqual({
      day: '2026-09-28',
      model: 'gp-5.4-mini',
      upstreamId: null,
      requests: null,
      costNanoUsd: 3_835_980n,
    });
    expect(read('openai-costs', { ...costs, amount_value: '' })).toBeNull();
    expect(read('openai-costs', { ...costs, start_time_iso: '', amount_value: '1', line_item: '' })).toMatchObject({
      day: '2026-09-28',
      model: 'not grouped',
    });
  });

  it("price OpenAI's usage by the catalogue", () => {
    const usage = { start_time: '1790553600', model: 'gpt-5.4-mini', num_model_requests: '3.0' };
    const tokens = { input_tokens: '1000000', input_cached_tokens: '400000', output_tokens: '10' };
    expect(read('openai-usage', { ...usage, ...tokens })).toMatchObject({
      requests: 3n,
      costNanoUsd: 450_000_000n + 30_000_000n + 45_000n,
    });
    expect(() => read('openai-usage', { ...usage, ...tokens, model: 'unknown' })).toThrow("'unknown' has no price");
  });

  it('know a model by the name of its release', () => {
    const usage = { start_time: '1790553600', num_model_requests: '1', input_tokens: '1000000', output_tokens: '0' };
    expect(read('openai-usage', { ...usage, model: 'gpt-5.4-mini-2026-03-17' })).toMatchObject({
      model: 'gp-5.4-mini',
      costNanoUsd: 750_000_000n,
    });
    const costs = { start_time: '1790553600', amount_value: '0E-30' };
    expect(read('openai-costs', { ...costs, line_item: 'GPT-5.4-mini-2026-03-17, output' })).toMatchObject({
      model: 'gp-5.4-mini',
      costNanoUsd: 0n,
    });
    expect(read('openai-costs', { ...costs, line_item: 'another-model-2026-03-17' })).toMatchObject({
      model: 'another-model-2026-03-17',
    });
  });

  it("read Anthropic's costs and price its usage", () => {
    const costs = { usage_date_utc: '2026-10-10', model: 'Claude Haiku 4.5', cost_usd: '0.05' };
    expect(read('anthropic-costs', costs)).toMatchObject({ model: 'cl-haiku-4-5', costNanoUsd: 50_000_000n });
    const usage = { usage_date_utc: '2026-10-10', model_version: 'claude-haiku-4-5-20251001' };
    expect(
      read('anthropic-usage', { ...usage, usage_input_tokens_no_cache: '1000', usage_output_tokens: '100' }),
    ).toMatchObject({ model: 'cl-haiku-4-5', costNanoUsd: 1_000_000n + 500_000n });
  });

  it('read a plain file with the ids of the vendor', () => {
    const plain = { day: '2026-10-10', model: 'voyage-4', cost_usd: '1', upstream_id: 'up_1' };
    expect(read('plain', plain)).toMatchObject({ model: 'vg-4', upstreamId: 'up_1', requests: 1n });
    expect(() => read('plain', { ...plain, model: ' ' })).toThrow('expected a model');
    expect(() => read('plain', { ...plain, cost_usd: 'free' })).toThrow("expected an amount in USD, got 'free'");
  });

  it.each(['soon', '', '27.11.2026', '2026-02-30', '2026-11-31T10:00:00Z', '0001-01-01', '20261121', '99999999999999'])(
    'refuse the day %j',
    (day) => {
      expect(() => read('plain', { day, model: 'gm-2.5-flash', cost_usd: '1' })).toThrow('expected a day such as');
    },
  );

  it.each(['2026-11-21', '2026-11-21T23:59:59+00:00', '2026-11-21 12:00:00', '1795219200'])(
    'read the day %j',
    (day) => {
      expect(read('plain', { day, model: 'gm-2.5-flash', cost_usd: '1' })?.day).toBe('2026-11-21');
    },
  );

  it('refuse amounts in another currency', () => {
    const costs = { start_time: '1790553600', amount_value: '1', line_item: 'gpt-5.4-mini, input' };
    expect(() => read('openai-costs', { ...costs, amount_currency: 'eur' })).toThrow("got one in 'eur'");
    expect(read('openai-costs', { ...costs, amount_currency: 'USD' })).toMatchObject({ costNanoUsd: 1_000_000_000n });
  });

  it("price requests of the vendors' batch interfaces at half the price", () => {
    const openai = {
      start_time: '1790553600',
      model: 'gpt-5.4-mini',
      num_model_requests: '1',
      input_tokens: '1000000',
    };
    expect(read('openai-usage', { ...openai, output_tokens: '0', batch: 'True' })?.costNanoUsd).toBe(375_000_000n);
    expect(read('openai-usage', { ...openai, output_tokens: '0', batch: 'False' })?.costNanoUsd).toBe(750_000_000n);
    const anthropic = { usage_date_utc: '2026-11-27', model_version: 'claude-haiku-4-5-20251001' };
    const tokens = { usage_input_tokens_no_cache: '1000000', usage_output_tokens: '0' };
    expect(read('anthropic-usage', { ...anthropic, ...tokens, usage_type: 'batch' })?.costNanoUsd).toBe(500_000_000n);
    expect(read('anthropic-usage', { ...anthropic, ...tokens, usage_type: 'standard' })?.costNanoUsd).toBe(
      1_000_000_000n,
    );
  });
});

describe('nanoUsdOf', () => {
  it.each([
    ['1', 1_000_000_000n],
    ['0.0000000005', 1n],
    ['0.0000000004', 0n],
    ['-2.5', -2_500_000_000n],
    ['0E-30', 0n],
    ['1E-6', 1_000n],
    ['3.83598e-03', 3_835_980n],
    ['-1.5E+2', -150_000_000_000n],
    ['5e-10', 1n],
    ['4.9e-10', 0n],
    ['9e-400', 0n],
    ['0009999999999', 9_999_999_999_000_000_000n],
  ])('rounds %s to the nano-dollar', (text, nano) => {
    expect(nanoUsdOf(text)).toBe(nano);
  });

  it.each(['', 'free', '1e', '1,5', '1e11', '99999999999', '1e9999', 'NaN'])('refuses %j', (text) => {
    expect(() => nanoUsdOf(text)).toThrow('expected an amount in USD');
  });
});
