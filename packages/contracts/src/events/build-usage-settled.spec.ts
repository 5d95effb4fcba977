import { describe, expect, it } from '@jest/globals';
import { NO_CHANGES } from '../api/changes.js';
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
  it('knows no cost of the vendor for a request that was aborted: it may have begun', () => {
    const event = buildUsageSettled(request, { outcome: 'aborted', costNanoUsd: 0n, settledAtMs: 2 });
    expect(event).not.toHaveProperty('vendorCostNanoUsd');
  });

  it('builds an event of a request that used nothing', () => {
    const event = buildUsageSettled(request, { outcome: 'failed', costNanoUsd: 0n, settledAtMs: 2 });
    expect(usageSettled.parse(event)).toEqual({
      ...request,
      vendorCostNanoUsd: '0',
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

  it.each([
    ['the status of the response', { outcome: 'completed', status: 202 }, 202],
    ['the status of the error', { outcome: 'failed', errorCode: 'upstream_timeout' }, 504],
    ['200 for a response that had begun', { outcome: 'interrupted', errorCode: 'worker_lost' }, 200],
    ['499 for a client that left', { outcome: 'aborted' }, 499],
    ['none for an error without a row', { outcome: 'failed', errorCode: 'of_a_later_release' }, undefined],
  ] as const)('has %s', (_case, facts, status) => {
    expect(buildUsageSettled(request, { costNanoUsd: 0n, settledAtMs: 2, ...facts }).status).toBe(status);
  });

  it('merges what the edge and the adapter changed', () => {
    const changed = { filled: { n: '1' }, dropped: ['top_k'] };
    const facts = { outcome: 'completed', costNanoUsd: 0n, settledAtMs: 2 } as const;
    const adapter = { filled: { temperature: '1' }, dropped: [] };
    expect(buildUsageSettled({ ...request, changes: changed }, { ...facts, changes: adapter }).changes).toEqual({
      filled: { n: '1', temperature: '1' },
      dropped: ['top_k'],
    });
    expect(buildUsageSettled({ ...request, changes: NO_CHANGES }, facts)).not.toHaveProperty('changes');
  });
});
