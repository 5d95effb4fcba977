import { describe, expect, it } from '@jest/globals';
import { buildUsageSettled } from './build-usage-settled.js';
import { usageSettled } from './usage-settled.event.js';

const request = {
  requestId: 'req_1',
  accountId: 'acc_1',
  keyId: 'key_1',
  endpoint: 'chat.completions',
  model: 'gm-2.5-flash',
  holdNanoUsd: '1000',
  priceVersion: '2026-01',
  admittedAtMs: 1,
};

describe('buildUsageSettled', () => {
  it('builds an event of a request that used nothing', () => {
    const event = buildUsageSettled(request, { outcome: 'failed', costNanoUsd: 0n, settledAtMs: 2 });
    expect(usageSettled.parse(event)).toEqual({
      ...request,
      schemaVersion: 1,
      outcome: 'failed',
      costNanoUsd: '0',
      unitPrices: {},
      units: {},
      isEstimated: false,
      attempts: [],
      settledAtMs: 2,
    });
  });

  it('leaves out the optional fields that have no value, since the stream carries every field', () => {
    const event = buildUsageSettled(request, {
      outcome: 'completed',
      costNanoUsd: 7n,
      errorCode: undefined,
      startedAtMs: 1,
      firstByteAtMs: undefined,
      settledAtMs: 2,
    });
    expect(Object.keys(event)).not.toContain('errorCode');
    expect(Object.keys(event)).not.toContain('firstByteAtMs');
    expect(event.startedAtMs).toBe(1);
  });
});
