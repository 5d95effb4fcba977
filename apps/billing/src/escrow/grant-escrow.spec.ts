import type { grantEscrow as DecideGrant } from '@gateway/postgres';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf } from '../test-support/fakes.js';

const decideGrant = mockOf<typeof DecideGrant>();
const readBalances = jest.fn(async () => ({ customerNanoUsd: 0n, customerVersion: 3n }));
const unused = () => undefined;
jest.unstable_mockModule('@gateway/postgres', () => ({
  grantEscrow: decideGrant,
  markDelivered: unused,
  undeliveredGrants: unused,
  closeEscrowReturn: unused,
  openEscrowReturns: unused,
  openReturns: unused,
  readLedgerBalances: readBalances,
}));
const { GrantEscrow } = await import('./grant-escrow.service.js');
const { ReserveMirror } = await import('../reserve-mirror.service.js');

type Decision = Awaited<ReturnType<typeof DecideGrant>>;
const decision = (fields: object) => fields as Decision;

function setUp({ delivered = [true], returned = [true] }: { delivered?: boolean[]; returned?: boolean[] } = {}) {
  const order: string[] = [];
  const next = (name: string, results: readonly boolean[]) => {
    let index = 0;
    return jest.fn(async (_accountId: string) => {
      order.push(name);
      index += 1;
      return results[Math.min(index, results.length) - 1] as boolean;
    });
  };
  const deliver = next('deliver', delivered);
  const finish = next('finish', returned);
  const { metrics, changes } = fakeMetrics();
  const setReserve = jest.fn(async (_reserve: object) => 'applied');
  const store = { currentEpoch: async () => '7', setReserve };
  const mirror = new ReserveMirror({} as never, store as never, fakeLogger().logger);
  const service = new GrantEscrow({} as never, metrics, { deliver } as never, { finish } as never, mirror);
  return { service, deliver, finish, order, changes, setReserve };
}

beforeEach(() => {
  decideGrant.mockReset();
});

describe('GrantEscrow', () => {
  it('responds after Redis has the block', async () => {
    const { service, order, changes } = setUp();
    decideGrant.mockImplementation(async () => {
      order.push('decide');
      return decision({ outcome: 'granted', amountNanoUsd: 50n });
    });
    expect(await service.grant('acct_a', 9n)).toEqual({ granted: true, amountNanoUsd: 50n });
    expect(order).toEqual(['deliver', 'finish', 'decide', 'deliver']);
    expect(decideGrant).toHaveBeenCalledWith(expect.anything(), {
      accountId: 'acct_a',
      missingNanoUsd: 9n,
      blockLimitNanoUsd: 5_000_000_000n,
      blockDivisor: 20n,
    });
    expect(changes).toEqual([['grants', { outcome: 'granted' }]]);
  });

  it('fails when Redis moved to another epoch before the delivery: the ledger has the grant and redelivers it', async () => {
    const { service } = setUp({ delivered: [true, false] });
    decideGrant.mockResolvedValue(decision({ outcome: 'granted', amountNanoUsd: 50n }));
    await expect(service.grant('acct_a', 9n)).rejects.toMatchObject({
      code: 'service_unavailable',
      details: { retryAfterMs: 500 },
    });
  });

  it('grants nothing while a return of the account belongs to another epoch', async () => {
    const { service, changes } = setUp({ returned: [false] });
    await expect(service.grant('acct_a', 9n)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(decideGrant).not.toHaveBeenCalled();
    expect(changes).toEqual([]);
  });

  it('still decides when an earlier grant could not be delivered', async () => {
    const { service } = setUp({ delivered: [false] });
    decideGrant.mockResolvedValue(decision({ outcome: 'no_epoch' }));
    await expect(service.grant('acct_a', 9n)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(decideGrant).toHaveBeenCalledTimes(1);
  });

  it.each([
    [4n, 4n],
    [-3n, 0n],
  ])('refuses with what is available: %s is shown as %s', async (available, shown) => {
    const { service } = setUp();
    decideGrant.mockResolvedValue(decision({ outcome: 'refused', availableNanoUsd: available }));
    expect(await service.grant('acct_a', 9n)).toEqual({ granted: false, availableNanoUsd: shown });
  });

  it('lets the refusal name the balance, also of an account that was never credited', async () => {
    const { service, setReserve } = setUp();
    decideGrant.mockResolvedValue(decision({ outcome: 'refused', availableNanoUsd: 0n }));
    const refused = { granted: false, availableNanoUsd: 0n };
    expect(await service.grant('acct_a', 9n)).toEqual(refused);
    const reserve = { accountId: 'acct_a', epoch: '7', reserveNanoUsd: 0n, reserveVersion: 3n };
    expect(setReserve.mock.calls).toEqual([[reserve]]);
    setReserve.mockRejectedValue(new Error('Connection is closed.'));
    expect(await service.grant('acct_a', 9n)).toEqual(refused);
  });

  it('starts again when a return was opened meanwhile, and finishes that return first', async () => {
    const { service, finish, changes } = setUp();
    decideGrant
      .mockResolvedValueOnce(decision({ outcome: 'returning' }))
      .mockResolvedValueOnce(decision({ outcome: 'granted', amountNanoUsd: 50n }));
    expect(await service.grant('acct_a', 9n)).toEqual({ granted: true, amountNanoUsd: 50n });
    expect(finish).toHaveBeenCalledTimes(2);
    expect(changes).toEqual([
      ['grants', { outcome: 'returning' }],
      ['grants', { outcome: 'granted' }],
    ]);
  });

  it.each([
    ['unknown_account', 'not_found'],
    ['no_epoch', 'service_unavailable'],
  ])('reports the outcome %s as the error %s', async (outcome, code) => {
    const { service, deliver } = setUp();
    decideGrant.mockResolvedValue(decision({ outcome }));
    await expect(service.grant('acct_a', 9n)).rejects.toMatchObject({ code });
    expect(deliver).toHaveBeenCalledTimes(1);
  });
});
