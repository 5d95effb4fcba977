import type { listRepeatedCharges as List, refundRepeatedCharge as Refund } from '@gateway/postgres';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf } from '../test-support/fakes.js';

const listRepeatedCharges = mockOf<typeof List>();
const refundRepeatedCharge = mockOf<typeof Refund>();
jest.unstable_mockModule('@gateway/postgres', () => ({
  listRepeatedCharges,
  refundRepeatedCharge,
  readLedgerBalances: jest.fn(),
}));
const { RefundRepeatedCharges } = await import('./refund-repeated-charges.service.js');

const charge = { requestId: 'req_2', accountId: 'acct_1', firstRequestId: 'req_1' };
const spending = { spendingKeyId: 'key_1', spentNanoUsd: '5', version: '2' } as never;
const lookBackOf = (call: number) => Number(listRepeatedCharges.mock.calls[call]?.[1]);

beforeEach(() => {
  jest.resetAllMocks();
});

function setUp() {
  const refresh = jest.fn(async (_accountId: string) => undefined);
  const setSpending = jest.fn(async (_accountId: string, _spending: unknown) => true);
  const { logger, lines } = fakeLogger();
  const { metrics, changes } = fakeMetrics();
  const service = new RefundRepeatedCharges(
    {} as never,
    { setSpending } as never,
    { refresh } as never,
    metrics,
    logger,
  );
  return { service, refresh, setSpending, lines, changes };
}

describe('RefundRepeatedCharges', () => {
  it('refunds each charge, and brings balance and spending to Redis', async () => {
    const { service, refresh, setSpending, lines, changes } = setUp();
    listRepeatedCharges.mockResolvedValue([charge]);
    refundRepeatedCharge.mockResolvedValue({ amountNanoUsd: 30n, spending });
    await service.refund(performance.now());
    expect(refundRepeatedCharge).toHaveBeenCalledWith(expect.anything(), charge);
    expect(refresh).toHaveBeenCalledWith('acct_1');
    expect(setSpending).toHaveBeenCalledWith('acct_1', spending);
    expect(changes).toEqual([['refundedCharges']]);
    expect(lines).toMatchObject([{ level: 'warn', fields: { requestId: 'req_2', amountNanoUsd: '30' } }]);
  });

  it('refunds the other charges if one cannot be refunded', async () => {
    const { service, refresh } = setUp();
    const other = { ...charge, requestId: 'req_4', accountId: 'acct_2' };
    listRepeatedCharges.mockResolvedValue([charge, other]);
    refundRepeatedCharge
      .mockRejectedValueOnce(new Error('a lock'))
      .mockResolvedValueOnce({ amountNanoUsd: 30n, spending });
    await expect(service.refund(performance.now())).rejects.toThrow('a lock');
    expect(refresh.mock.calls).toEqual([['acct_2']]);
  });

  it('counts nothing that another process has refunded', async () => {
    const { service, refresh, changes } = setUp();
    listRepeatedCharges.mockResolvedValue([charge]);
    refundRepeatedCharge.mockResolvedValue(null);
    await service.refund(performance.now());
    expect(refresh).not.toHaveBeenCalled();
    expect(changes).toEqual([]);
  });

  it('survives a Redis that is away after the refund', async () => {
    const { service, setSpending, lines } = setUp();
    listRepeatedCharges.mockResolvedValue([charge]);
    refundRepeatedCharge.mockResolvedValue({ amountNanoUsd: 30n, spending });
    setSpending.mockRejectedValue(new Error('away'));
    await service.refund(performance.now());
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'warn']);
  });

  it('looks an hour back at first, then since the last look that found nothing, with an overlap', async () => {
    const { service } = setUp();
    const startedAtMs = performance.now();
    refundRepeatedCharge.mockResolvedValue(null);
    listRepeatedCharges.mockResolvedValueOnce([]).mockResolvedValueOnce([charge]).mockResolvedValue([]);
    await service.refund(startedAtMs + 1_000_000);
    await service.refund(startedAtMs + 2_000_000);
    await service.refund(startedAtMs + 3_000_000);
    await service.refund(startedAtMs + 4_000_000);
    expect(lookBackOf(0)).toBeGreaterThanOrEqual(1_000_000 + 3_600_000 + 60_000);
    expect([1, 2, 3].map((call) => Math.round(lookBackOf(call)))).toEqual([1_060_000, 2_060_000, 1_060_000]);
  });
});
