import type { activateEpoch as Activate, activeEpoch as Active, nextEpoch as Next } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf } from '../test-support/fakes.js';

const activateEpoch = mockOf<typeof Activate>();
const activeEpoch = mockOf<typeof Active>();
const nextEpoch = mockOf<typeof Next>();
jest.unstable_mockModule('@gateway/postgres', () => ({ activateEpoch, activeEpoch, nextEpoch }));
const { FollowEpoch } = await import('./follow-epoch.service.js');

type Activation = Awaited<ReturnType<typeof Activate>>;
const activation = (isActive: boolean, isChanged: boolean) =>
  ({ isActive, isChanged, accounts: 2n, returnedNanoUsd: 30n }) as Activation;

function setUp(...epochs: readonly (string | null)[]) {
  const currentEpoch = mockOf<AdmissionStore['currentEpoch']>();
  for (const epoch of epochs.slice(0, -1)) currentEpoch.mockResolvedValueOnce(epoch);
  currentEpoch.mockResolvedValue(epochs.at(-1) ?? null);
  const beginEpoch = mockOf<AdmissionStore['beginEpoch']>();
  const { logger, lines } = fakeLogger();
  const { metrics, changes } = fakeMetrics();
  const store = { currentEpoch, beginEpoch } as unknown as AdmissionStore;
  const service = new FollowEpoch({} as never, store, {} as never, metrics, logger);
  return { service, currentEpoch, beginEpoch, lines, changes };
}

beforeEach(() => {
  for (const mock of [activateEpoch, activeEpoch, nextEpoch]) mock.mockReset();
});

describe('FollowEpoch', () => {
  it('follows an epoch in which the ledger is already', async () => {
    const { service, beginEpoch, changes } = setUp('7');
    activateEpoch.mockResolvedValue(activation(true, false));
    expect(service.isFollowing).toBe(false);
    await service.follow();
    expect(service.isFollowing).toBe(true);
    expect(beginEpoch).not.toHaveBeenCalled();
    expect(changes).toEqual([]);
  });

  it('gives an empty Redis a new epoch, and counts the rebuild once', async () => {
    const { service, beginEpoch, changes, lines } = setUp(null, '8');
    nextEpoch.mockResolvedValue(8n);
    activateEpoch.mockResolvedValue(activation(true, true));
    await service.follow();
    expect(beginEpoch.mock.calls).toEqual([['8']]);
    expect(activateEpoch.mock.calls.map(([, epoch]) => epoch)).toEqual([8n]);
    expect(service.isFollowing).toBe(true);
    expect(changes).toEqual([['rebuilds']]);
    expect(lines).toMatchObject([{ level: 'warn', fields: { epoch: '8', accounts: '2', returnedNanoUsd: '30' } }]);
  });

  it('follows the epoch of the process that was first', async () => {
    const { service } = setUp(null, '9');
    nextEpoch.mockResolvedValue(8n);
    activateEpoch.mockResolvedValue(activation(true, false));
    await service.follow();
    expect(activateEpoch.mock.calls.map(([, epoch]) => epoch)).toEqual([9n]);
  });

  it('fails when Redis loses its epoch again, and continues in the next round', async () => {
    const { service } = setUp(null, null, '9');
    nextEpoch.mockResolvedValue(8n);
    activateEpoch.mockResolvedValue(activation(true, true));
    await expect(service.follow()).rejects.toThrow('Redis lost its epoch again');
    expect(service.isFollowing).toBe(false);
    await service.follow();
    expect(service.isFollowing).toBe(true);
  });

  it.each(['x', '-1', '1e3', ''])('refuses the epoch %j, which the ledger has not numbered', async (epoch) => {
    const { service } = setUp(epoch);
    await expect(service.follow()).rejects.toThrow(/epoch in Redis must be a number of the ledger/);
    expect(activateEpoch).not.toHaveBeenCalled();
    expect(service.isFollowing).toBe(false);
  });

  it('does not follow until the last batch of escrow is returned', async () => {
    const { service, changes } = setUp('8');
    const { signal } = new AbortController();
    activateEpoch.mockResolvedValueOnce(activation(false, true)).mockResolvedValueOnce(activation(true, true));
    await service.follow(signal);
    expect(activateEpoch).toHaveBeenCalledWith(expect.anything(), 8n, signal);
    expect([service.isFollowing, changes]).toEqual([false, []]);
    await service.follow(signal);
    expect([service.isFollowing, changes]).toEqual([true, [['rebuilds']]]);
  });

  it('is not following after Redis lost its data and PostgreSQL is down', async () => {
    const { service } = setUp('7', null);
    activateEpoch.mockResolvedValue(activation(true, false));
    await service.follow();
    nextEpoch.mockRejectedValue(new Error('Connection terminated'));
    await expect(service.follow()).rejects.toThrow('Connection terminated');
    expect(service.isFollowing).toBe(false);
  });

  it('checks the ledger every 20 rounds, and follows again when another process moved it', async () => {
    const { service } = setUp('7');
    activateEpoch.mockResolvedValue(activation(true, false));
    activeEpoch.mockResolvedValueOnce(7n).mockResolvedValueOnce(8n);
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) await service.follow();
    };
    await rounds(1 + 19);
    expect(activeEpoch).not.toHaveBeenCalled();
    await rounds(1);
    expect([activeEpoch.mock.calls.length, activateEpoch.mock.calls.length]).toEqual([1, 1]);
    await rounds(20);
    expect([activeEpoch.mock.calls.length, activateEpoch.mock.calls.length]).toEqual([2, 2]);
  });
});
