import { SHARDS } from '@gateway/contracts';
import type { activateEpoch as Activate, activeEpochs as Active, nextEpoch as Next } from '@gateway/postgres';
import type { AdmissionStore, ShardEpochs } from '@gateway/redis';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf } from '../test-support/fakes.js';
import type { CloseFormerSlot } from './close-former-slot.service.js';

const activateEpoch = mockOf<typeof Activate>();
const activeEpochs = mockOf<typeof Active>();
const nextEpoch = mockOf<typeof Next>();
jest.unstable_mockModule('@gateway/postgres', () => ({
  activateEpoch,
  activeEpochs,
  nextEpoch,
  formerEpoch: () => undefined,
  retireFormerEpoch: () => undefined,
}));
const { FollowEpoch } = await import('./follow-epoch.service.js');

type Activation = Awaited<ReturnType<typeof Activate>>;
const activation = (isActive: boolean, isChanged: boolean) =>
  ({ isActive, isChanged, accounts: 2n, returnedNanoUsd: 30n }) as Activation;

/** The same epoch in all shards, but for some. */
const everywhere = (
  epoch: string | null,
  others: Readonly<Record<number, string | null | undefined>> = {},
): ShardEpochs => SHARDS.map((shard) => (shard in others ? others[shard] : epoch));
const inLedger = (epoch: bigint) => new Map(SHARDS.map((shard) => [shard, epoch]));

function setUp(...epochs: readonly (string | null | ShardEpochs)[]) {
  const inRedis = epochs.map((epoch) =>
    Array.isArray(epoch) ? (epoch as ShardEpochs) : everywhere(epoch as string | null),
  );
  const currentEpochs = mockOf<AdmissionStore['currentEpochs']>();
  for (const one of inRedis.slice(0, -1)) currentEpochs.mockResolvedValueOnce(one);
  currentEpochs.mockResolvedValue(inRedis.at(-1) ?? []);
  const beginEpoch = mockOf<AdmissionStore['beginEpoch']>();
  const close = mockOf<CloseFormerSlot['close']>().mockResolvedValue(undefined);
  const { logger, lines } = fakeLogger();
  const { metrics, changes } = fakeMetrics();
  const store = { currentEpochs, beginEpoch } as unknown as AdmissionStore;
  const service = new FollowEpoch({} as never, store, {} as never, metrics, logger, { close } as never);
  return { service, beginEpoch, close, lines, changes };
}

/** The epochs and the shards of the calls. */
const activated = () => activateEpoch.mock.calls.map(([, epoch, shards]) => [epoch, shards]);

beforeEach(() => {
  for (const mock of [activateEpoch, activeEpochs, nextEpoch]) mock.mockReset();
});

describe('FollowEpoch', () => {
  it('follows an epoch in which the ledger is already', async () => {
    const { service, beginEpoch, close, changes } = setUp('7');
    activateEpoch.mockResolvedValue(activation(true, false));
    expect(service.isFollowing).toBe(false);
    await service.follow();
    expect([service.isFollowing, service.followed]).toEqual([true, everywhere('7')]);
    expect([beginEpoch.mock.calls, close.mock.calls, changes]).toEqual([[], [], []]);
  });

  it('gives an empty Redis one new epoch in all shards, and counts the rebuild once', async () => {
    const { service, beginEpoch, close, changes, lines } = setUp(null, '8');
    nextEpoch.mockResolvedValue(8n);
    activateEpoch.mockResolvedValue(activation(true, true));
    await service.follow();
    expect(close).toHaveBeenCalledTimes(1);
    expect(beginEpoch.mock.calls).toEqual([['8', SHARDS]]);
    expect(activated()).toEqual([[8n, SHARDS]]);
    expect(service.isFollowing).toBe(true);
    expect(changes).toEqual([['rebuilds']]);
    expect(lines).toMatchObject([
      { level: 'warn', fields: { epoch: '8', shards: 64, accounts: '2', returnedNanoUsd: '30' } },
    ]);
  });

  it('rebuilds only the shards that lost their data', async () => {
    const { service, beginEpoch } = setUp(
      '7',
      everywhere('7', { 5: null, 9: null }),
      everywhere('7', { 5: '8', 9: '8' }),
    );
    activateEpoch.mockResolvedValue(activation(true, true));
    nextEpoch.mockResolvedValue(8n);
    await service.follow();
    activateEpoch.mockClear();
    await service.follow();
    expect(beginEpoch.mock.calls).toEqual([['8', [5, 9]]]);
    expect(activated()).toEqual([[8n, [5, 9]]]);
    expect(service.followed).toEqual(everywhere('7', { 5: '8', 9: '8' }));
  });

  it('keeps following the others while a node does not reply', async () => {
    const { service } = setUp('7', everywhere('7', { 63: undefined }));
    activateEpoch.mockResolvedValue(activation(true, false));
    await service.follow();
    await service.follow();
    expect([service.isFollowing, service.followed]).toEqual([true, everywhere('7')]);
    expect(activateEpoch).toHaveBeenCalledTimes(1);
  });

  it('follows the epochs of the processes that were first', async () => {
    const { service } = setUp(null, everywhere('9', { 3: '10' }));
    nextEpoch.mockResolvedValue(8n);
    activateEpoch.mockResolvedValue(activation(true, false));
    await service.follow();
    expect(activated()).toEqual([
      [9n, SHARDS.filter((shard) => shard !== 3)],
      [10n, [3]],
    ]);
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
    expect(activateEpoch).toHaveBeenCalledWith(expect.anything(), 8n, SHARDS, signal);
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
    expect([service.isFollowing, service.followed]).toEqual([false, everywhere(null)]);
  });

  it('begins no epoch before the slot of a former release is closed', async () => {
    const { service, beginEpoch, close } = setUp(null);
    close.mockRejectedValue(new Error('Connection is closed.'));
    await expect(service.follow()).rejects.toThrow('Connection is closed.');
    expect(beginEpoch).not.toHaveBeenCalled();
  });

  it('checks the ledger every 5 rounds, and follows again where another process moved it', async () => {
    const { service } = setUp('7');
    activateEpoch.mockResolvedValue(activation(true, false));
    activeEpochs.mockResolvedValueOnce(inLedger(7n)).mockResolvedValueOnce(inLedger(7n).set(2, 8n));
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) await service.follow();
    };
    await rounds(1 + 4);
    expect(activeEpochs).not.toHaveBeenCalled();
    await rounds(1);
    expect([activeEpochs.mock.calls.length, activateEpoch.mock.calls.length]).toEqual([1, 1]);
    await rounds(5);
    expect(activeEpochs).toHaveBeenCalledTimes(2);
    expect(activated()).toEqual([
      [7n, SHARDS],
      [7n, [2]],
    ]);
  });
});
