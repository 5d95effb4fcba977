import { describe, expect, it } from '@jest/globals';
import { lineAmount, receiptView } from './receipt-view.js';

const settlement = {
  requestId: 'req_a',
  accountId: 'acct_a',
  keyId: 'key_a',
  endpoint: 'chat.completions',
  model: 'gm-2.5-pro',
  outcome: 'completed',
  holdNanoUsd: 50_000_000n,
  costNanoUsd: 5_000_001n,
  priceVersion: 'gm-2.5-pro@2026-01-01',
  unitPrices: { input_token: '1.25', output_token: '10' },
  units: { input_token: 1, output_token: 500, cached_input_token: 0 },
  isEstimated: false,
  abortContract: 'stops',
  errorCode: null,
  attempts: [{ channel: 'inner-name', upstreamId: 'up-1', status: 200, startedAtMs: 0, endedAtMs: 10 }],
  admittedAt: new Date(0),
  startedAt: null,
  firstByteAt: null,
  settledAt: new Date(1),
  recordedAt: new Date(2),
};

describe('receiptView', () => {
  it('shows each unit with its price and its exact amount', () => {
    expect(receiptView(settlement).lines).toEqual([
      { unit: 'input_token', count: 1, usd_per_million: '1.25', amount_usd: '0.00000125' },
      { unit: 'output_token', count: 500, usd_per_million: '10', amount_usd: '0.005' },
    ]);
  });

  it('shows the released part of the hold, or the charge beyond it', () => {
    expect(receiptView(settlement)).toMatchObject({
      hold_usd: '0.05',
      cost_usd: '0.005000001',
      released_usd: '0.044999999',
      beyond_hold_usd: '0.00',
    });
    expect(receiptView({ ...settlement, holdNanoUsd: 1n })).toMatchObject({
      released_usd: '0.00',
      beyond_hold_usd: '0.005',
    });
  });

  it('does not name the channel that served it', () => {
    expect(JSON.stringify(receiptView(settlement))).not.toMatch(/inner-name|up-1/);
  });

  it.each([
    [1, '0.000000001', '0.000000000000001'],
    [3_000_000, '2', '6.00'],
    [0, '2', '0.00'],
  ])('multiplies %s × %s without rounding', (count, price, amount) => {
    expect(lineAmount(count, price)).toBe(amount);
  });
});
