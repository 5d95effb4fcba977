import type { SyncTicket, UsageSettled } from '@gateway/contracts';
import type { Settler } from '@gateway/redis';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fake, freezeClock, NOW_MS, restoreClock } from '../test-support/fakes.js';
import { HoldMoney } from './hold-money.service.js';

beforeEach(freezeClock);
afterEach(restoreClock);

const TICKET = {
  requestId: 'req_1',
  accountId: 'acc_1',
  keyId: 'key_1',
  endpoint: 'videos.generations',
  model: 'wn2.7-t2v',
  holdNanoUsd: '500',
  price: { version: 'v1', perMillion: {} },
  admittedAtMs: 1,
  claimToken: 'secret',
} as unknown as SyncTicket;

/** The event of a ticket: nothing of the ticket beside these fields may leave the worker. */
const SETTLED = {
  schemaVersion: 1,
  requestId: 'req_1',
  accountId: 'acc_1',
  keyId: 'key_1',
  endpoint: 'videos.generations',
  model: 'wn2.7-t2v',
  holdNanoUsd: '500',
  priceVersion: 'v1',
  unitPrices: {},
  units: {},
  isEstimated: false,
  attempts: [],
  admittedAtMs: 1,
  settledAtMs: NOW_MS,
};

function holding(settlement: Awaited<ReturnType<Settler['settle']>>) {
  const events: UsageSettled[] = [];
  const money = new HoldMoney(
    fake<Settler>({
      settle: async (event) => {
        events.push(event);
        return settlement;
      },
      settleInBackground: (event) => void events.push(event),
    }),
  );
  return { money, events };
}

const settlement = (outcome: string) =>
  ({ outcome, balanceNanoUsd: 700n }) as unknown as Awaited<ReturnType<Settler['settle']>>;

describe('HoldMoney', () => {
  it('settles the request as held at the price of its hold and returns the balance', async () => {
    const { money, events } = holding(settlement('held'));
    expect(await money.transfer(TICKET)).toBe(700n);
    expect(events).toEqual([{ ...SETTLED, outcome: 'held', costNanoUsd: '500' }]);
  });

  it.each([
    ['Redis does not respond', undefined, 'service_unavailable'],
    ['the request has been settled otherwise', settlement('aborted'), 'client_closed_request'],
  ])('throws if %s', async (_case, settled, code) => {
    await expect(holding(settled).money.transfer(TICKET)).rejects.toMatchObject({ code });
  });

  it.each([
    [undefined, 'failed', { vendorCostNanoUsd: '0' }],
    ['upstream_error', 'failed', { errorCode: 'upstream_error', status: 502, vendorCostNanoUsd: '0' }],
    ['client_closed_request', 'aborted', { errorCode: 'client_closed_request', status: 499 }],
  ] as const)('releases the hold after %s as %s', (errorCode, outcome, details) => {
    const { money, events } = holding(undefined);
    money.release(TICKET, errorCode);
    expect(events).toEqual([{ ...SETTLED, outcome, costNanoUsd: '0', ...details }]);
  });
});
