import { FORMER_SHARD, newAccountId, SHARD_COUNT, SHARDS, shardOf } from '@gateway/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { activateEpoch, activeEpochs, formerEpoch, nextEpoch, retireFormerEpoch } from '../epochs/epochs.js';
import { grantEscrow } from '../escrow/grant-escrow.js';
import { readLedgerBalances } from '../ledger/balance.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { holdShards, releaseShards } from './hold-shards.js';

const BALANCED = { imbalanceNanoUsd: 0n, unbalancedTransactions: 0n, wrongBalances: 0n, wrongUsageSums: 0n };

let test: TestDatabase;
beforeAll(async () => {
  test = await TestDatabase.open();
});
afterAll(() => test.close());

const grant = (accountId: string) =>
  grantEscrow(test.database, { accountId, missingNanoUsd: 50n, blockLimitNanoUsd: 50n, blockDivisor: 20n });
const balances = async (accountId: string) => {
  const { customerNanoUsd, escrowNanoUsd } = (await readLedgerBalances(test.database, accountId)) ?? {};
  return [customerNanoUsd, escrowNanoUsd];
};

describe('the shard of an account', () => {
  it('is the same in SQL', async () => {
    const ids = ['acct_a', ...Array.from({ length: 500 }, newAccountId)];
    const rows = await test.database.prisma.$queryRaw<{ shard: number }[]>`
      SELECT shard_of(id) AS shard FROM unnest(${ids}::text[]) WITH ORDINALITY AS each (id, number) ORDER BY number`;
    expect(rows.map(({ shard }) => shard)).toEqual(ids.map(shardOf));
  });
});

describe('the epoch of a shard', () => {
  it('changes alone: the escrow of other shards stays, and their grants go on', async () => {
    await activateEpoch(test.database, await nextEpoch(test.database));
    const lost = await test.account(1_000n);
    let other = await test.account(1_000n);
    while (shardOf(other) === shardOf(lost)) other = await test.account(1_000n);
    for (const accountId of [lost, other]) await grant(accountId);
    const before = (await activeEpochs(test.database)).get(shardOf(other));
    const epoch = await nextEpoch(test.database);
    expect(await activateEpoch(test.database, epoch, [shardOf(lost)])).toMatchObject({
      isChanged: true,
      accounts: 1n,
      returnedNanoUsd: 50n,
    });
    expect([await balances(lost), await balances(other)]).toEqual([
      [1_000n, 0n],
      [950n, 50n],
    ]);
    const active = await activeEpochs(test.database);
    expect([active.get(shardOf(lost)), active.get(shardOf(other)), active.size]).toEqual([epoch, before, SHARD_COUNT]);
    // One batch of both shards: the event of the lost epoch is paid by the customer, the other one from escrow.
    const entries = [lost, other].map((accountId, index) => ({
      streamId: `1-${index}`,
      shard: shardOf(accountId),
      event: sampleEvent(accountId, 7n),
    }));
    expect(await recordSettlements(test.database, entries, before ?? 0n)).toMatchObject({ newRequests: 2 });
    expect([await balances(lost), await balances(other)]).toEqual([
      [993n, 0n],
      [950n, 43n],
    ]);
    expect(await recordSettlements(test.database, entries, () => 9_999n)).toEqual({ outcome: 'wait' });
    expect(await checkLedger(test.database)).toEqual(BALANCED);
  });
});

describe('the slot of a former release', () => {
  it('keeps its escrow until the shards begin; what it settles later is paid by the customer', async () => {
    const former = await TestDatabase.open();
    try {
      const { database } = former;
      expect(await formerEpoch(database)).toBeNull();
      await database.prisma.$executeRaw`INSERT INTO redis_epoch (activations, activated_at) VALUES (1, now())`;
      const accountId = await former.account(1_000n);
      const request = { accountId, missingNanoUsd: 50n, blockLimitNanoUsd: 50n, blockDivisor: 20n };
      expect(await grantEscrow(database, request)).toMatchObject({ outcome: 'granted' });
      const settle = (streamId: string) =>
        recordSettlements(database, [{ streamId, shard: FORMER_SHARD, event: sampleEvent(accountId, 7n) }], 1n);
      await settle('1-1');
      const now = async () => {
        const { customerNanoUsd, escrowNanoUsd } = (await readLedgerBalances(database, accountId)) ?? {};
        return [customerNanoUsd, escrowNanoUsd];
      };
      expect(await now()).toEqual([950n, 43n]);
      await retireFormerEpoch(database);
      expect(await formerEpoch(database)).toEqual({ number: 1n, isRetired: true });
      expect(await grantEscrow(database, request)).toEqual({ outcome: 'no_epoch' });
      await activateEpoch(database, await nextEpoch(database));
      expect(await now()).toEqual([993n, 0n]);
      await settle('1-2');
      expect(await now()).toEqual([986n, 0n]);
      expect(await checkLedger(database)).toEqual(BALANCED);
    } finally {
      await former.close();
    }
  });
});

describe('the leases of the shards', () => {
  const LEASE_MS = 60_000;
  const hold = (copy: string, leaseMs = LEASE_MS) => holdShards(test.database, copy, leaseMs);

  beforeEach(() => test.database.prisma.billingCopy.deleteMany());

  it('are all with one copy, then shared with others, each shard with one of them', async () => {
    expect(await hold('a')).toEqual({ held: SHARDS, unheld: 0 });
    expect((await hold('b')).held).toEqual([]);
    for (const copy of ['c', 'a', 'b', 'c', 'a', 'b', 'c']) await hold(copy);
    const held = await Promise.all(['a', 'b', 'c'].map(async (copy) => (await hold(copy)).held));
    expect(held.map((shards) => shards.length).sort()).toEqual([20, 22, 22]);
    expect(held.flat().sort((one, other) => one - other)).toEqual(SHARDS);
  });

  it('go to the others when a copy dies or stops', async () => {
    for (const copy of ['a', 'b', 'a', 'b']) await hold(copy);
    await releaseShards(test.database, 'b');
    expect((await hold('a')).held).toEqual(SHARDS);
    await hold('dies', -1);
    expect(await hold('a')).toEqual({ held: SHARDS, unheld: 0 });
  });
});
