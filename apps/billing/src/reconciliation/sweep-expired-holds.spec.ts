import type { AdmissionStore } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf } from '../test-support/fakes.js';
import { SweepExpiredHolds } from './sweep-expired-holds.service.js';

const hold = (id: string) => ({
  requestId: `req_${id}`,
  accountId: `acct_${id}`,
  keyId: `key_${id}`,
  amountNanoUsd: 30n,
  expiresAtMs: 5_000,
  about: { endpoint: 'chat.completions', model: 'gm-2', priceVersion: 'gm-2@2026-01-01', admittedAtMs: 1_000 },
});

function setUp(holds: readonly object[], settle = mockOf<AdmissionStore['settle']>()) {
  const expiredHolds = mockOf<AdmissionStore['expiredHolds']>();
  expiredHolds.mockResolvedValue(holds as never);
  const { logger, lines } = fakeLogger();
  const { metrics, changes } = fakeMetrics();
  const store = { expiredHolds, settle, now: async () => 7_000 } as unknown as AdmissionStore;
  return { service: new SweepExpiredHolds(store, () => [3, 4], metrics, logger), expiredHolds, settle, lines, changes };
}

const applied = (isApplied: boolean) => ({ applied: isApplied }) as never;

describe('SweepExpiredHolds', () => {
  it('settles an expired hold at no cost, so that the customer gets all of it back', async () => {
    const { service, expiredHolds, settle, changes, lines } = setUp([hold('a')]);
    settle.mockResolvedValue(applied(true));
    expect(await service.sweep(6_000)).toBe(1);
    expect(expiredHolds).toHaveBeenCalledWith(6_000, 200, [3, 4]);
    expect(settle.mock.calls).toEqual([
      [
        {
          schemaVersion: 1,
          requestId: 'req_a',
          accountId: 'acct_a',
          keyId: 'key_a',
          endpoint: 'chat.completions',
          model: 'gm-2',
          outcome: 'expired',
          holdNanoUsd: '30',
          costNanoUsd: '0',
          priceVersion: 'gm-2@2026-01-01',
          unitPrices: {},
          units: {},
          isEstimated: false,
          errorCode: 'request_timeout',
          status: 408,
          attempts: [],
          admittedAtMs: 1_000,
          settledAtMs: 6_000,
        },
      ],
    ]);
    expect(changes).toEqual([['expiredHolds']]);
    expect(lines).toMatchObject([{ fields: { requestId: 'req_a', holdNanoUsd: '30' } }]);
  });

  it('counts only the holds that this process settled', async () => {
    const { service, settle, changes } = setUp([hold('a'), hold('b')]);
    settle.mockResolvedValueOnce(applied(false)).mockResolvedValueOnce(applied(true));
    expect(await service.sweep(6_000)).toBe(1);
    expect(settle).toHaveBeenCalledTimes(2);
    expect(changes).toEqual([['expiredHolds']]);
  });

  it('takes the time of Redis: a clock that is ahead must not end running requests free', async () => {
    const { service, expiredHolds } = setUp([]);
    service.onApplicationBootstrap();
    await service.stop();
    expect(expiredHolds).toHaveBeenCalledWith(7_000, 200, [3, 4]);
  });

  it('settles nothing when no hold has expired', async () => {
    const { service, settle } = setUp([]);
    expect(await service.sweep(6_000)).toBe(0);
    expect(settle).not.toHaveBeenCalled();
  });

  it('stops at the first failure: the next round finds the remaining holds again', async () => {
    const { service, settle } = setUp([hold('a'), hold('b')]);
    settle.mockRejectedValue(new Error('Connection is closed.'));
    await expect(service.sweep(6_000)).rejects.toThrow('Connection is closed.');
    expect(settle).toHaveBeenCalledTimes(1);
  });
});
