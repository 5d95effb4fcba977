import { SHARDS } from '@gateway/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { activateEpoch, followEpoch, nextEpoch } from '../epochs/epochs.js';
import { readLedgerBalances } from '../ledger/balance.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { postCredit } from '../ledger/post-credit.js';
import { accountsWithEscrow, mirrorEscrow } from '../reconcile/escrow-positions.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { activeEpoch } from '../test-support/active-epoch.js';
import { AT_ONCE_MS, sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { grantEscrow } from './grant-escrow.js';
import { closeEscrowReturn, openEscrowReturns, openReturns } from './return-escrow.js';
import { markDelivered, undeliveredGrants } from './undelivered-grants.js';

const USD = 1_000_000_000n;

describe('escrow', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await TestDatabase.open();
  });

  afterAll(() => test.close());

  const grant = (accountId: string, missingNanoUsd: bigint) =>
    grantEscrow(test.database, { accountId, missingNanoUsd, blockLimitNanoUsd: 5n * USD, blockDivisor: 20n });

  it('is not granted before an epoch is active', async () => {
    expect(await activeEpoch(test.database)).toBeNull();
    expect(await grant(await test.account(USD), 1n)).toEqual({ outcome: 'no_epoch' });
  });

  describe('in an epoch', () => {
    beforeEach(async () => {
      if ((await activeEpoch(test.database)) === null)
        await activateEpoch(test.database, await nextEpoch(test.database));
    });

    it.each([
      ['5 % of the balance', 10n * USD, 1n, USD / 2n],
      ['at most $5', 1_000n * USD, 1n, 5n * USD],
      ['the missing amount if that is more', 10n * USD, 2n * USD, 2n * USD],
      ['the whole balance if that much is missing', 10n * USD, 10n * USD, 10n * USD],
      ['at most the balance', 3n, 3n, 3n],
    ])('grants %s', async (_words, balance, missing, amountNanoUsd) => {
      const accountId = await test.account(balance);
      expect(await grant(accountId, missing)).toEqual({ outcome: 'granted', amountNanoUsd });
      expect(await readLedgerBalances(test.database, accountId)).toMatchObject({
        customerNanoUsd: balance - amountNanoUsd,
        escrowNanoUsd: amountNanoUsd,
      });
    });

    it('refuses more than the balance, and an unknown account', async () => {
      expect(await grant(await test.account(5n), 6n)).toEqual({ outcome: 'refused', availableNanoUsd: 5n });
      expect(await grant(await test.account(), 1n)).toEqual({ outcome: 'refused', availableNanoUsd: 0n });
      expect(await grant('acct_unknown', 1n)).toEqual({ outcome: 'unknown_account' });
    });

    it('never grants more than the balance to 100 concurrent calls', async () => {
      const accountId = await test.account(10n * USD);
      const results = await Promise.all(Array.from({ length: 100 }, () => grant(accountId, USD)));
      const granted = results.flatMap((result) => (result.outcome === 'granted' ? [result.amountNanoUsd] : []));
      expect(granted).toHaveLength(10);
      expect(granted.reduce((sum, amount) => sum + amount, 0n)).toBe(10n * USD);
      expect(await readLedgerBalances(test.database, accountId)).toMatchObject({
        customerNanoUsd: 0n,
        escrowNanoUsd: 10n * USD,
      });
      const undelivered = await undeliveredGrants(test.database, { accountId });
      expect(undelivered.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 10 }, (_, index) => BigInt(index + 1)),
      );
    });

    it('does not list a delivered grant', async () => {
      const accountId = await test.account(USD);
      await grant(accountId, 1n);
      await grant(accountId, 1n);
      await markDelivered(test.database, accountId, [1n]);
      expect(await undeliveredGrants(test.database, { accountId })).toMatchObject([
        { sequence: 2n, customerNanoUsd: USD - 2n * (USD / 20n), customerVersion: 3n },
      ]);
    });
  });

  describe('that is idle', () => {
    const open = (idleMs: number) => openEscrowReturns(test.database, { idleMs, limit: 100 });
    const idle = async (accountId: string) => (await open(AT_ONCE_MS)).find((one) => one.accountId === accountId);

    beforeEach(async () => {
      await activateEpoch(test.database, await nextEpoch(test.database));
    });

    it('gets one return from concurrent calls', async () => {
      const accountIds = await Promise.all([1, 2, 3].map(() => test.account(USD)));
      await test.account(USD);
      for (const accountId of accountIds) await grant(accountId, 1n);
      expect(await open(60_000)).toEqual([]);
      const opened = (await Promise.all([1, 2, 3, 4].map(() => open(AT_ONCE_MS)))).flat();
      expect(opened.map(({ accountId }) => accountId).sort()).toEqual([...accountIds].sort());
      expect(await openReturns(test.database, { olderThanMs: 60_000, limit: 100 })).toEqual([]);
      const [first] = opened;
      expect(await openReturns(test.database, { accountId: first?.accountId ?? '' })).toEqual([first]);
    });

    it('gets no second return from a process with an older snapshot', async () => {
      await grant(await test.account(USD), 1n);
      const { prisma } = test.database;
      const isOneWaiting = async () =>
        (
          await prisma.$queryRaw<unknown[]>`
            SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
        ).length > 0;
      const late = await prisma.$transaction(async (first) => {
        expect(await first.$queryRaw`SELECT * FROM open_escrow_returns(${AT_ONCE_MS}::bigint, 100)`).toHaveLength(1);
        const second = open(AT_ONCE_MS);
        while (!(await isOneWaiting()));
        return { second };
      });
      expect(await late.second).toEqual([]);
    });

    it('gets no return again before the idle time has passed, nor after it moved', async () => {
      const accountId = await test.account(USD);
      await grant(accountId, 1n);
      const opened = await idle(accountId);
      if (opened === undefined) throw new Error('nothing was opened');
      await closeEscrowReturn(test.database, opened, 0n);
      const openedAt = (hours: number) => test.database.prisma.$executeRaw`
        UPDATE escrow_return SET opened_at = now() + ${hours}::int * interval '1 hour' WHERE account_id = ${accountId}`;
      await openedAt(1);
      expect(await open(AT_ONCE_MS)).toEqual([]);
      await openedAt(-1);
      expect(await open(60_000)).toEqual([]);
      expect(await open(AT_ONCE_MS)).toEqual([{ ...opened, sequence: opened.sequence + 1n }]);
    });

    it('gets a return at once from a customer who owes, also one who was busy', async () => {
      const [owing, paid] = [await test.account(USD), await test.account(USD)];
      for (const accountId of [owing, paid]) await grant(accountId, 1n);
      const correction = { kind: 'adjustment', amountNanoUsd: -USD, reason: 'it was charged back' } as const;
      await postCredit(test.database, { ...correction, accountId: owing, reference: `correction-${owing}` });
      const [opened, ...others] = await open(60_000);
      expect([opened?.accountId, others]).toEqual([owing, []]);
      if (opened === undefined) throw new Error('nothing was opened');
      await closeEscrowReturn(test.database, opened, 0n);
      expect(await open(60_000)).toEqual([]);
      await test.database.prisma.$executeRaw`
        UPDATE escrow_return SET opened_at = now() - interval '11 seconds' WHERE account_id = ${owing}`;
      expect(await open(60_000)).toEqual([{ ...opened, sequence: opened.sequence + 1n }]);
    });

    it('is booked once, and only for the open sequence', async () => {
      const accountId = await test.account(USD);
      await grant(accountId, USD);
      const opened = await idle(accountId);
      if (opened === undefined) throw new Error('nothing was opened');
      const late = await closeEscrowReturn(test.database, { ...opened, sequence: opened.sequence - 1n }, 5n);
      const closed = await Promise.all([1, 2, 3].map(() => closeEscrowReturn(test.database, opened, USD)));
      expect(late).toBeNull();
      expect(closed.filter((one) => one !== null)).toEqual([{ customerNanoUsd: USD, customerVersion: 3n }]);
      expect(await readLedgerBalances(test.database, accountId)).toMatchObject({
        customerNanoUsd: USD,
        escrowNanoUsd: 0n,
      });
    });

    it('refuses no grant while its return is open, unless the return was abandoned', async () => {
      const accountId = await test.account(USD);
      await grant(accountId, USD);
      await idle(accountId);
      expect(await grant(accountId, 1n)).toEqual({ outcome: 'returning' });
      await test.database.prisma.$executeRaw`
        UPDATE escrow_return SET opened_at = now() - interval '2 minutes' WHERE account_id = ${accountId}`;
      expect(await grant(accountId, 1n)).toEqual({ outcome: 'refused', availableNanoUsd: 0n });
    });
  });

  it('returns to the customers once when another epoch becomes active', async () => {
    const [rich, poor] = [await test.account(10n * USD), await test.account(4n)];
    await grant(rich, 1n);
    await grant(poor, 4n);
    await markDelivered(test.database, poor, [1n]);
    const epoch = await nextEpoch(test.database);
    expect(await nextEpoch(test.database)).toBe(epoch);
    const results = await Promise.all([1, 2, 3, 4].map(() => activateEpoch(test.database, epoch)));
    expect(results.filter(({ isChanged }) => isChanged)).toHaveLength(1);
    for (const [accountId, customerNanoUsd] of [
      [rich, 10n * USD],
      [poor, 4n],
    ] as const) {
      expect(await readLedgerBalances(test.database, accountId)).toMatchObject({ customerNanoUsd, escrowNanoUsd: 0n });
      expect(await undeliveredGrants(test.database, { accountId })).toEqual([]);
    }
    expect(await nextEpoch(test.database)).toBe(epoch + 1n);
  });

  describe('during a change of epoch', () => {
    const BLOCK = USD / 20n;
    let accountIds: readonly string[];
    let [former, epoch] = [0n, 0n];
    const step = (afterId = 0n, into = epoch) => followEpoch(test.database, into, { afterId, limit: 1 });
    const totals = () =>
      Promise.all(
        accountIds.map(async (accountId) => {
          const position = await readLedgerBalances(test.database, accountId);
          return (position?.customerNanoUsd ?? 0n) + (position?.escrowNanoUsd ?? 0n);
        }),
      );

    beforeEach(async () => {
      former = await nextEpoch(test.database);
      await activateEpoch(test.database, former);
      accountIds = [await test.account(USD), await test.account(USD), await test.account(USD)];
      for (const accountId of accountIds) await grant(accountId, 1n);
      epoch = await nextEpoch(test.database);
    });

    afterEach(async () => {
      expect(await checkLedger(test.database)).toEqual({
        imbalanceNanoUsd: 0n,
        unbalancedTransactions: 0n,
        wrongBalances: 0n,
        wrongUsageSums: 0n,
      });
    });

    it('does not grow: nothing is granted, repaired, returned or settled from it until the change ends', async () => {
      expect(await step()).toMatchObject({ outcome: 'returning', accounts: 1n, returnedNanoUsd: BLOCK });
      expect(await activeEpoch(test.database)).toBeNull();
      const [first, , last] = accountIds as [string, string, string];
      const seen = { accountId: last, escrowNanoUsd: BLOCK, heldByRedisNanoUsd: 0n };
      for (const other of [former, epoch])
        expect(await mirrorEscrow(test.database, { ...seen, epoch: other })).toBe(false);
      for (const accountId of accountIds) expect(await grant(accountId, 1n)).toEqual({ outcome: 'no_epoch' });
      expect(await openEscrowReturns(test.database, { idleMs: AT_ONCE_MS, limit: 9 })).toEqual([]);
      const settle = (accountId: string, epochRead: bigint) =>
        recordSettlements(
          test.database,
          [{ streamId: `${epochRead}-${accountId}`, event: sampleEvent(accountId, 3n) }],
          epochRead,
        );
      expect(await settle(first, epoch)).toEqual({ outcome: 'wait' });
      expect(await settle(last, former)).toMatchObject({ newRequests: 1 });
      expect(await readLedgerBalances(test.database, last)).toMatchObject({ escrowNanoUsd: BLOCK });
      expect(await activateEpoch(test.database, epoch)).toMatchObject({ isChanged: true, accounts: 2n });
      expect(await totals()).toEqual([USD, USD, USD - 3n]);
      expect(await settle(first, epoch)).toMatchObject({ newRequests: 1 });
    });

    it('is returned by concurrent processes after another one died in a step', async () => {
      await step();
      const dies = test.database.prisma.$transaction(async (dying) => {
        await dying.$queryRaw`SELECT * FROM follow_epoch(${epoch}::bigint, ${[...SHARDS]}::int[], 0::bigint, 1)`;
        throw new Error('died');
      });
      await expect(dies).rejects.toThrow('died');
      const results = await Promise.all([1, 2, 3, 4].map(() => activateEpoch(test.database, epoch)));
      expect(results.filter(({ isChanged }) => isChanged)).toHaveLength(1);
      expect(results.reduce((sum, { returnedNanoUsd }) => sum + returnedNanoUsd, 0n)).toBe(2n * BLOCK);
      expect(await activeEpoch(test.database)).toBe(epoch);
      expect(await totals()).toEqual([USD, USD, USD]);
    });

    it('is searched from the first account again after another epoch in between', async () => {
      const { lastId } = await step();
      await activateEpoch(test.database, former);
      for (const accountId of accountIds) await grant(accountId, 1n);
      expect(await step(lastId + 1_000_000n)).toMatchObject({ outcome: 'returning', lastId: 0n, accounts: 0n });
      expect(await activateEpoch(test.database, epoch)).toMatchObject({ isChanged: true, accounts: 3n });
      expect(await totals()).toEqual([USD, USD, USD]);
    });

    it('is listed in pages, each account once', async () => {
      const pages: (readonly string[])[] = [];
      for (let afterId: bigint | null = 0n; afterId !== null; ) {
        const page: Awaited<ReturnType<typeof accountsWithEscrow>> = await accountsWithEscrow(test.database, {
          afterId,
          limit: 2,
        });
        pages.push(page.accountIds);
        afterId = page.lastId;
      }
      expect(pages.map((page) => page.length)).toEqual([2, 1]);
      expect(pages.flat()).toEqual(accountIds);
    });

    it('is left to the next process by one that stops', async () => {
      const stopped = await activateEpoch(test.database, epoch, undefined, AbortSignal.abort());
      expect(stopped).toMatchObject({ isActive: false, isChanged: false });
      expect(await activeEpoch(test.database)).toBe(former);
    });
  });

  it('follows Redis into an epoch that it did not number, and back', async () => {
    const accountId = await test.account(USD);
    await grant(accountId, 1n);
    expect(await activateEpoch(test.database, 900n)).toMatchObject({ isChanged: true });
    await grant(accountId, 1n);
    expect(await activateEpoch(test.database, 1n)).toMatchObject({ isChanged: true, returnedNanoUsd: USD / 20n });
    expect(await activateEpoch(test.database, 900n)).toMatchObject({ isChanged: true });
    expect(await activeEpoch(test.database)).toBe(900n);
    await activateEpoch(test.database, await nextEpoch(test.database));
    expect(await nextEpoch(test.database)).toBeGreaterThan(900n);
    expect(await checkLedger(test.database)).toEqual({
      imbalanceNanoUsd: 0n,
      unbalancedTransactions: 0n,
      wrongBalances: 0n,
      wrongUsageSums: 0n,
    });
  });
});
