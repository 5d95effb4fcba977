import type {
  closeEscrowReturn as CloseReturn,
  openReturns as ListOpen,
  openEscrowReturns as OpenIdle,
  OpenReturn,
} from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf } from '../test-support/fakes.js';

const closeEscrowReturn = mockOf<typeof CloseReturn>();
const openEscrowReturns = mockOf<typeof OpenIdle>();
const openReturns = mockOf<typeof ListOpen>();
jest.unstable_mockModule('@gateway/postgres', () => ({ closeEscrowReturn, openEscrowReturns, openReturns }));
const { ReturnIdleEscrow } = await import('./return-idle-escrow.service.js');

const open = (id: string) => ({ accountId: `acct_${id}`, epoch: 7n, sequence: 1n }) as unknown as OpenReturn;
const closed = { customerVersion: 4n, customerNanoUsd: 90n } as never;

function setUp() {
  const takeBack = mockOf<AdmissionStore['takeBack']>();
  const setReserve = mockOf<AdmissionStore['setReserve']>();
  const { logger } = fakeLogger();
  const { metrics, changes } = fakeMetrics();
  const store = { takeBack, setReserve } as unknown as AdmissionStore;
  const service = new ReturnIdleEscrow({} as never, store, metrics, logger, { escrowIdleMs: 900_000 });
  return { service, takeBack, setReserve, changes };
}

beforeEach(() => {
  for (const mock of [closeEscrowReturn, openEscrowReturns, openReturns]) mock.mockReset();
});

describe('ReturnIdleEscrow', () => {
  it('takes idle escrow out of Redis, closes the return in the ledger, then shows the new reserve', async () => {
    const { service, takeBack, setReserve, changes } = setUp();
    openEscrowReturns.mockResolvedValue([open('a')]);
    takeBack.mockResolvedValue(30n);
    closeEscrowReturn.mockResolvedValue(closed);
    expect(await service.returnIdle(900_000)).toBe(1);
    expect(openEscrowReturns).toHaveBeenCalledWith(expect.anything(), { idleMs: 900_000, limit: 500 });
    expect(closeEscrowReturn).toHaveBeenCalledWith(expect.anything(), open('a'), 30n);
    expect(setReserve.mock.calls).toEqual([
      [{ accountId: 'acct_a', epoch: '7', reserveVersion: 4n, reserveNanoUsd: 90n }],
    ]);
    expect(changes).toEqual([
      ['returns', { outcome: 'returned' }],
      ['returnedNanoUsd', 30],
    ]);
  });

  it('counts a return of nothing apart', async () => {
    const { service, takeBack, changes } = setUp();
    openEscrowReturns.mockResolvedValue([open('a')]);
    takeBack.mockResolvedValue(0n);
    closeEscrowReturn.mockResolvedValue(closed);
    await service.returnIdle(900_000);
    expect(changes).toEqual([
      ['returns', { outcome: 'nothing' }],
      ['returnedNanoUsd', 0],
    ]);
  });

  it('leaves a return open while Redis is in another epoch', async () => {
    const { service, takeBack } = setUp();
    openReturns.mockResolvedValue([open('a')]);
    takeBack.mockResolvedValue(null);
    expect(await service.finish('acct_a')).toBe(false);
    expect(closeEscrowReturn).not.toHaveBeenCalled();
  });

  it('counts nothing when another process has closed the return', async () => {
    const { service, takeBack, setReserve, changes } = setUp();
    openReturns.mockResolvedValue([open('a')]);
    takeBack.mockResolvedValue(30n);
    closeEscrowReturn.mockResolvedValue(null);
    expect(await service.finish('acct_a')).toBe(true);
    expect(setReserve).not.toHaveBeenCalled();
    expect(changes).toEqual([]);
  });

  it('finishes an account only when each of its returns is finished', async () => {
    const { service, takeBack } = setUp();
    openReturns.mockResolvedValue([open('a'), open('a')]);
    takeBack.mockResolvedValueOnce(30n).mockResolvedValueOnce(null);
    closeEscrowReturn.mockResolvedValue(closed);
    expect(await service.finish('acct_a')).toBe(false);
  });

  it('finishes an account without open returns at once', async () => {
    const { service, takeBack } = setUp();
    openReturns.mockResolvedValue([]);
    expect(await service.finish('acct_a')).toBe(true);
    expect(takeBack).not.toHaveBeenCalled();
  });

  it('finishes abandoned returns, and leaves the others when Redis goes down', async () => {
    const { service, takeBack } = setUp();
    openReturns.mockResolvedValue([open('a'), open('b'), open('c')]);
    closeEscrowReturn.mockResolvedValue(closed);
    takeBack.mockResolvedValueOnce(30n).mockRejectedValue(new Error('Connection is closed.'));
    await expect(service.finishAbandoned(2_000)).rejects.toThrow('Connection is closed.');
    expect(openReturns).toHaveBeenCalledWith(expect.anything(), { olderThanMs: 2_000, limit: 500 });
    expect(closeEscrowReturn).toHaveBeenCalledTimes(1);
  });
});
