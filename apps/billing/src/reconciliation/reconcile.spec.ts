import { SHARDS, shardOf } from '@gateway/contracts';
import type { activeEpochs as Active, mirrorEscrow as MirrorEscrow } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mockOf } from '../test-support/fakes.js';

const activeEpochs = mockOf<typeof Active>();
const ACCOUNT_SHARD = shardOf('acct_a');
/** The epoch of each shard; null: of none. */
const inAllShards = (epoch: bigint | null) =>
  new Map(epoch === null ? [] : SHARDS.map((shard) => [shard, epoch] as const));
const mirrorEscrow = mockOf<typeof MirrorEscrow>();
const countParkedEvents = jest.fn(async () => 0);
const escrowPositions = jest.fn(async () => [{ accountId: 'acct_a', escrowNanoUsd: 80n, undeliveredNanoUsd: 0n }]);
const accountsWithEscrow = jest.fn(async () => ({ accountIds: ['acct_a'], lastId: null }));
const sumLedger = jest.fn(async () => ({ imbalanceNanoUsd: 0n, escrowNanoUsd: 80n }));
const checkTaskHolds = jest.fn(async () => ({ driftNanoUsd: 0n, unbookedHolds: 0, endedWithoutReceipt: 0 }));
jest.unstable_mockModule('@gateway/postgres', () => ({
  activeEpochs,
  mirrorEscrow,
  countParkedEvents,
  escrowPositions,
  accountsWithEscrow,
  sumLedger,
  checkTaskHolds,
  adoptOrphanTaskHolds: () => undefined,
}));
jest.unstable_mockModule('@gateway/redis', () => ({
  KeyCacheInvalidator: class {},
  pendingReturnNanoUsd: () => 0n,
  totalOf: ([first]: readonly object[]) => first,
}));
const { Reconcile } = await import('./reconcile.service.js');

const state = (spendableNanoUsd: bigint) => ({
  spendableNanoUsd,
  heldNanoUsd: 20n,
  unsettledNanoUsd: 10n,
  returnSequence: 0n,
});

function setUp(spendableNanoUsd = 50n) {
  const redis = {
    spendableNanoUsd,
    unsettledEvents: 0,
    unreadableEvents: 0,
    orphans: 0,
    repliedShards: SHARDS.length,
    epoch: '7' as string | null,
  };
  const store = {
    currentEpochs: async () => SHARDS.map(() => redis.epoch),
    readShards: jest.fn(async (_beforeMs: number) =>
      Array.from({ length: redis.repliedShards }, () => ({
        expiredHolds: redis.orphans,
        unbookedEvents: redis.unsettledEvents,
        deadEvents: redis.unreadableEvents,
      })),
    ),
    readAccount: async () => state(redis.spendableNanoUsd),
    accountIds: async () => ({ accountIds: ['acct_a'], next: null }),
  };
  const reporter = { report: jest.fn(), reportRepair: jest.fn(), reportFailure: jest.fn() };
  const adopt = jest.fn(async () => undefined);
  const service = new Reconcile({} as never, store as unknown as AdmissionStore, reporter as never, { adopt } as never);
  const rounds = async (count: number) => {
    for (let round = 1; round < count; round += 1) await service.round(10_000);
    return service.round(10_000);
  };
  return { service, redis, store, reporter, adopt, rounds };
}

beforeEach(() => {
  activeEpochs.mockReset().mockResolvedValue(inAllShards(7n));
  mirrorEscrow.mockReset().mockResolvedValue(true as never);
  escrowPositions.mockClear();
  sumLedger.mockClear();
  checkTaskHolds.mockClear();
});

describe('Reconcile', () => {
  it('reports zeros when Redis holds what the ledger has in escrow', async () => {
    const { rounds, reporter, adopt } = setUp();
    const result = await rounds(6);
    expect(result).toMatchObject({ epoch: '7', driftNanoUsd: 0n, drifts: [], orphanHolds: 0, parkedEvents: 0 });
    expect(reporter.report).toHaveBeenCalledTimes(6);
    expect(reporter.report).toHaveBeenLastCalledWith(result);
    expect(mirrorEscrow).not.toHaveBeenCalled();
    expect(adopt).not.toHaveBeenCalled();
  });

  it.each([
    ['too little', 43n, 7n],
    ['too much', 55n, -5n],
  ])('reports that Redis holds %s after three rounds and repairs after six', async (_what, spendable, driftNanoUsd) => {
    const { rounds, reporter } = setUp(spendable);
    expect(await rounds(2)).toMatchObject({ drifts: [] });
    expect(await rounds(1)).toMatchObject({
      drifts: [{ accountId: 'acct_a', driftNanoUsd, rounds: 3 }],
      driftNanoUsd: driftNanoUsd < 0n ? -driftNanoUsd : driftNanoUsd,
    });
    await rounds(2);
    expect(mirrorEscrow).not.toHaveBeenCalled();
    await rounds(1);
    expect(mirrorEscrow.mock.calls).toEqual([
      [
        expect.anything(),
        { accountId: 'acct_a', escrowNanoUsd: 80n, heldByRedisNanoUsd: 80n - driftNanoUsd, epoch: 7n },
      ],
    ]);
    expect(reporter.reportRepair.mock.calls).toEqual([[{ accountId: 'acct_a', driftNanoUsd }]]);
  });

  it('reports no repair that another process has made', async () => {
    const { rounds, reporter } = setUp(43n);
    mirrorEscrow.mockResolvedValue(false as never);
    await rounds(6);
    expect(mirrorEscrow).toHaveBeenCalledTimes(1);
    expect(reporter.reportRepair).not.toHaveBeenCalled();
  });

  it('adds the events that cannot be parsed to the parked ones', async () => {
    const { service, redis } = setUp();
    redis.unreadableEvents = 2;
    redis.orphans = 3;
    countParkedEvents.mockResolvedValueOnce(4);
    expect(await service.round(10_000)).toMatchObject({ parkedEvents: 6, orphanHolds: 3 });
  });

  it('counts a hold as an orphan only after the sweep has had fifteen seconds for it', async () => {
    const { service, store } = setUp();
    await service.round(20_000);
    expect(store.readShards).toHaveBeenCalledWith(5_000);
  });
});

describe('the adoption of lost task holds', () => {
  it.each([
    ['adopts them when the stream is empty', 0, 1, 1],
    ['waits while events are in the stream: one may contain the hold', 1, 1, 0],
    ['does nothing when no hold is missing', 0, 0, 0],
  ])('%s', async (_what, unsettledEvents, unbookedHolds, calls) => {
    const { service, redis, adopt } = setUp();
    redis.unsettledEvents = unsettledEvents;
    checkTaskHolds.mockResolvedValueOnce({ driftNanoUsd: 0n, unbookedHolds, endedWithoutReceipt: 0 });
    await service.round(10_000);
    expect(adopt.mock.calls).toEqual(Array.from({ length: calls }, () => [60_000]));
  });
});

it('adopts nothing while a shard does not reply: its stream may contain the hold', async () => {
  const { service, redis, adopt } = setUp();
  redis.repliedShards = SHARDS.length - 1;
  checkTaskHolds.mockResolvedValueOnce({ driftNanoUsd: 0n, unbookedHolds: 1, endedWithoutReceipt: 0 });
  await service.round(10_000);
  expect(adopt).not.toHaveBeenCalled();
});

it('compares no account of a shard that is being rebuilt, and goes on with the others', async () => {
  const { service } = setUp(43n);
  const others = inAllShards(7n);
  others.delete(ACCOUNT_SHARD);
  activeEpochs.mockResolvedValue(others);
  for (let round = 0; round < 6; round += 1) {
    expect(await service.round(10_000)).toMatchObject({ epoch: '7', drifts: [] });
  }
  expect(mirrorEscrow).not.toHaveBeenCalled();
});

describe('a manual inspection', () => {
  it('does not change the age of the last round', async () => {
    const { service } = setUp();
    await service.round(10_000);
    expect(service.ageMs(12_000)).toBe(2_000);
    expect(await service.inspect(12_000)).toMatchObject({ checkedAt: new Date(12_000) });
    expect(service.ageMs(12_000)).toBe(2_000);
  });

  it('compares no account, repairs nothing and adopts nothing', async () => {
    const { service, rounds, adopt } = setUp(43n);
    await rounds(5);
    escrowPositions.mockClear();
    checkTaskHolds.mockResolvedValueOnce({ driftNanoUsd: 0n, unbookedHolds: 1, endedWithoutReceipt: 0 });
    const result = await service.inspect(12_000);
    expect(result?.drifts).toEqual([{ accountId: 'acct_a', driftNanoUsd: 7n, rounds: 5 }]);
    expect(escrowPositions).not.toHaveBeenCalled();
    expect(mirrorEscrow).not.toHaveBeenCalled();
    expect(adopt).not.toHaveBeenCalled();
  });

  it('does not use the cached totals', async () => {
    const { service } = setUp();
    await service.inspect(1);
    await service.inspect(2);
    expect(sumLedger).toHaveBeenCalledTimes(2);
  });
});

describe('a rebuild', () => {
  it.each([
    ['Redis has no epoch', null, 7n],
    ['the ledger has no epoch', '7', null],
    ['the ledger is in an earlier epoch', '8', 7n],
  ])('gives no result and keeps the age while %s', async (_what, inRedis, inLedger) => {
    const { service, redis, reporter } = setUp();
    await service.round(10_000);
    redis.epoch = inRedis;
    activeEpochs.mockResolvedValue(inAllShards(inLedger));
    expect(await service.round(15_000)).toBeNull();
    expect(service.ageMs(15_000)).toBe(5_000);
    expect(service.last).toMatchObject({ checkedAt: new Date(10_000) });
    expect(reporter.report).toHaveBeenCalledTimes(1);
  });

  it('gives no result when the epoch changes during the comparison', async () => {
    const { service, reporter } = setUp(43n);
    activeEpochs.mockResolvedValueOnce(inAllShards(7n)).mockResolvedValueOnce(inAllShards(8n));
    expect(await service.round(10_000)).toBeNull();
    expect(reporter.report).not.toHaveBeenCalled();
    expect(service.last).toBeNull();
  });

  it('rejects while PostgreSQL is down, and keeps the age', async () => {
    const { service } = setUp();
    await service.round(10_000);
    activeEpochs.mockRejectedValue(new Error('Connection terminated'));
    await expect(service.round(15_000)).rejects.toThrow('Connection terminated');
    expect(service.ageMs(15_000)).toBe(5_000);
  });
});
