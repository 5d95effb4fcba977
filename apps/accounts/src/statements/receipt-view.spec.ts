import type { Posting } from '@gateway/postgres';
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
  vendorCostNanoUsd: 4_000_000n,
  priceVersion: 'gm-2.5-pro@2026-01-01',
  unitPrices: { input_token: '1.25', output_token: '10' },
  units: { input_token: 1, output_token: 500, cached_input_token: 0 },
  isEstimated: false,
  abortContract: 'stops',
  idempotencyKey: 'order-1',
  status: 200,
  changes: { filled: { temperature: '1' }, dropped: ['top_k'] },
  errorCode: null,
  attempts: [{ channel: 'inner-name', upstreamId: 'up-1', status: 200, startedAtMs: 0, endedAtMs: 10 }],
  admittedAt: new Date(0),
  queuedAt: new Date(0),
  startedAt: null,
  firstByteAt: null,
  settledAt: new Date(1),
  recordedAt: new Date(2),
};

const POSTING: Posting = {
  transactionId: 7n,
  kind: 'settlement',
  ledgerAccount: 'revenue',
  amountNanoUsd: 5_000_001n,
  createdAt: new Date(2),
};
const viewOf = (overrides: Partial<typeof settlement> = {}) => receiptView({ ...settlement, ...overrides }, [POSTING]);

describe('receiptView', () => {
  it('shows each unit with its price and its exact amount', () => {
    expect(viewOf().lines).toEqual([
      { unit: 'input_token', count: 1, usd_per_million: '1.25', amount_usd: '0.00000125' },
      { unit: 'output_token', count: 500, usd_per_million: '10', amount_usd: '0.005' },
    ]);
  });

  it('names both ways in which a client ends its request', () => {
    expect(viewOf({ outcome: 'aborted' }).reason).toContain('disconnected, or cancelled the request, before the end');
  });

  it('shows the released part of the hold, or the charge beyond it', () => {
    expect(viewOf()).toMatchObject({
      hold_usd: '0.05',
      cost_usd: '0.005000001',
      released_usd: '0.044999999',
      beyond_hold_usd: '0.00',
    });
    expect(viewOf({ holdNanoUsd: 1n })).toMatchObject({
      released_usd: '0.00',
      beyond_hold_usd: '0.005',
    });
  });

  it('shows its times, its changes and its postings', () => {
    expect(viewOf()).toMatchObject({
      http_status: 200,
      idempotency_key: 'order-1',
      timeline: { queued_at: '1970-01-01T00:00:00.000Z', claimed_at: null, upstream_at: '1970-01-01T00:00:00.000Z' },
      changes: { filled: { temperature: '1' }, dropped: ['top_k'] },
      postings: [{ transaction_id: '7', ledger_account: 'revenue', amount_usd: '0.005000001' }],
    });
  });

  it('does not name the channel that served it', () => {
    expect(JSON.stringify(viewOf())).not.toMatch(/inner-name|up-1/);
  });

  it.each([
    [1, '0.000000001', '0.000000000000001'],
    [3_000_000, '2', '6.00'],
    [0, '2', '0.00'],
  ])('multiplies %s × %s without rounding', (count, price, amount) => {
    expect(lineAmount(count, price)).toBe(amount);
  });
});
