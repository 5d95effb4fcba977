import type { UsageSettled } from '@gateway/contracts';
import type { Settler } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { admittedRequest, REQUEST_ID, usage } from '../test-support/edge-fakes.js';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import { EdgeSettlement } from './edge-settlement.service.js';

function settlement() {
  const events: UsageSettled[] = [];
  const settler = { settleInBackground: (event: UsageSettled) => void events.push(event) } as unknown as Settler;
  return { events, settlement: new EdgeSettlement(settler) };
}

const reading = usage({ input_token: 1_000, output_token: 500 });

describe('EdgeSettlement', () => {
  it('charges nothing without a meter reading, and names the error', () => {
    const { events, settlement: edge } = settlement();
    expect(edge.settle(admittedRequest(), 'failed', undefined, 'upstream_unavailable')).toBe(0n);
    expect(events).toMatchObject([
      {
        requestId: REQUEST_ID,
        outcome: 'failed',
        holdNanoUsd: '5',
        costNanoUsd: '0',
        units: {},
        attempts: [],
        errorCode: 'upstream_unavailable',
        admittedAtMs: 1,
      },
    ]);
  });

  it('charges what a lost worker had metered, at the price of admission', () => {
    const { events, settlement: edge } = settlement();
    expect(edge.settle(admittedRequest(), 'interrupted', reading, 'worker_lost')).toBe(2_000_000n);
    expect(events).toMatchObject([
      {
        outcome: 'interrupted',
        costNanoUsd: '2000000',
        units: { input_token: 1_000, output_token: 500 },
        unitPrices: { input_token: '1', output_token: '2' },
        priceVersion: 'v',
      },
    ]);
  });

  it('charges a test key nothing, and counts no cost of the vendor', () => {
    const { events, settlement: edge } = settlement();
    const request = admittedRequest({ caller: { key: keyOf({ isTest: true }) }, holdNanoUsd: 0n });
    expect(edge.settle(request, 'interrupted', reading, 'worker_lost')).toBe(0n);
    expect(events).toMatchObject([{ costNanoUsd: '0', vendorCostNanoUsd: '0', units: reading.units }]);
  });
});
