import type { UsageSettled } from '@gateway/contracts';
import type { Settlement, Settler } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { admittedRequest, REQUEST_ID, usage } from '../test-support/edge-fakes.js';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import { EdgeSettlement } from './edge-settlement.service.js';

function settlement(settled?: Partial<Settlement>) {
  const events: UsageSettled[] = [];
  const settler = {
    settleInBackground: (event: UsageSettled) => void events.push(event),
    settle: async (event: UsageSettled) => {
      events.push(event);
      return settled;
    },
  } as unknown as Settler;
  return { events, settlement: new EdgeSettlement(settler) };
}

const reading = usage({ input_token: 1_000, output_token: 500 });

describe('EdgeSettlement', () => {
  it('charges nothing without a meter reading, and names the error', () => {
    const { events, settlement: edge } = settlement();
    edge.settle(admittedRequest(), 'failed', undefined, 'upstream_unavailable');
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
    edge.settle(admittedRequest(), 'interrupted', reading, 'worker_lost');
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

  it.each([
    [
      'of the worker, if it has settled before',
      { costNanoUsd: 9n, balanceNanoUsd: 1n },
      { costNanoUsd: '9', balanceNanoUsd: '1' },
    ],
    ['not, if the end is not known', { costNanoUsd: null, balanceNanoUsd: 1n }, undefined],
    ['not, while Redis is away', undefined, undefined],
  ])('reports the cost %s', async (_whose, settled, reported) => {
    const { events, settlement: edge } = settlement(settled);
    expect(await edge.settleLost(admittedRequest(), 'failed', undefined)).toEqual(reported);
    expect(events).toMatchObject([{ outcome: 'failed', costNanoUsd: '0', errorCode: 'worker_lost' }]);
  });

  it('charges a test key nothing, and counts no cost of the vendor', () => {
    const { events, settlement: edge } = settlement();
    const request = admittedRequest({ caller: { key: keyOf({ isTest: true }) }, holdNanoUsd: 0n });
    edge.settle(request, 'interrupted', reading, 'worker_lost');
    expect(events).toMatchObject([{ costNanoUsd: '0', vendorCostNanoUsd: '0', units: reading.units }]);
  });
});
