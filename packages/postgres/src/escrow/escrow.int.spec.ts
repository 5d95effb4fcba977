import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { activateEpoch, activeEpoch, nextEpoch } from '../epochs/epochs.js';
import { readPosition } from '../ledger/balance.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { TestDatabase } from '../test-support/test-database.js';
import { grantEscrow } from './grant-escrow.js';
import { markDelivered, undeliveredGrants } from './undelivered-grants.js';

jest.setTimeout(30_000);

const USD = 1_000_000_000n;

describe('escrow', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await TestDatabase.open();
  });

  afterAll(() => test.close());

  const ask = (accountId: string, missingNanoUsd: bigint) =>
    grantEscrow(test.database, { accountId, missingNanoUsd, blockLimitNanoUsd: 5n * USD, blockDivisor: 20n });

  it('is not granted before Redis has a life', async () => {
    expect(await activeEpoch(test.database)).toBeNull();
    expect(await ask(await test.account(USD), 1n)).toEqual({ outcome: 'no_epoch' });
  });

  describe('in an epoch', () => {
    beforeEach(async () => {
      if ((await activeEpoch(test.database)) === null)
        await activateEpoch(test.database, await nextEpoch(test.database));
    });

    it.each([
      ['5 % of the balance', 10n * USD, 1n, USD / 2n],
      ['at most $5', 1_000n * USD, 1n, 5n * USD],
      ['what is missing if that is more', 10n * USD, 2n * USD, 2n * USD],
      ['all there is if that is what is missing', 10n * USD, 10n * USD, 10n * USD],
      ['at most what there is', 3n, 3n, 3n],
    ])('gives %s', async (_words, balance, missing, amountNanoUsd) => {
      const accountId = await test.account(balance);
      expect(await ask(accountId, missing)).toEqual({ outcome: 'granted', amountNanoUsd });
      expect(await readPosition(test.database, accountId)).toMatchObject({
        customerNanoUsd: balance - amountNanoUsd,
        escrowNanoUsd: amountNanoUsd,
      });
    });

    it('refuses more than there is, and knows nobody’s account', async () => {
      expect(await ask(await test.account(5n), 6n)).toEqual({ outcome: 'refused', availableNanoUsd: 5n });
      expect(await ask(await test.account(), 1n)).toEqual({ outcome: 'refused', availableNanoUsd: 0n });
      expect(await ask('acct_nobody', 1n)).toEqual({ outcome: 'unknown_account' });
    });

    it('never gives more than there is, although 100 ask at the same time', async () => {
      const accountId = await test.account(10n * USD);
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask(accountId, USD)));
      const granted = answers.flatMap((answer) => (answer.outcome === 'granted' ? [answer.amountNanoUsd] : []));
      expect(granted).toHaveLength(10);
      expect(granted.reduce((sum, amount) => sum + amount, 0n)).toBe(10n * USD);
      expect(await readPosition(test.database, accountId)).toMatchObject({
        customerNanoUsd: 0n,
        escrowNanoUsd: 10n * USD,
      });
      const undelivered = await undeliveredGrants(test.database, { accountId });
      expect(undelivered.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 10 }, (_, index) => BigInt(index + 1)),
      );
    });

    it('forgets a grant once it is delivered', async () => {
      const accountId = await test.account(USD);
      await ask(accountId, 1n);
      await ask(accountId, 1n);
      await markDelivered(test.database, accountId, [1n]);
      expect(await undeliveredGrants(test.database, { accountId })).toMatchObject([
        { sequence: 2n, customerNanoUsd: USD - 2n * (USD / 20n), customerVersion: 3n },
      ]);
    });
  });

  it('goes back to the customers when Redis begins a new life, once', async () => {
    const [rich, poor] = [await test.account(10n * USD), await test.account(4n)];
    await ask(rich, 1n);
    await ask(poor, 4n);
    await markDelivered(test.database, poor, [1n]);
    const epoch = await nextEpoch(test.database);
    expect(await nextEpoch(test.database)).toBe(epoch);
    const answers = await Promise.all([1, 2, 3, 4].map(() => activateEpoch(test.database, epoch)));
    expect(answers.filter(({ isChanged }) => isChanged)).toHaveLength(1);
    for (const [accountId, customerNanoUsd] of [
      [rich, 10n * USD],
      [poor, 4n],
    ] as const) {
      expect(await readPosition(test.database, accountId)).toMatchObject({ customerNanoUsd, escrowNanoUsd: 0n });
      expect(await undeliveredGrants(test.database, { accountId })).toEqual([]);
    }
    expect(await nextEpoch(test.database)).toBe(epoch + 1n);
  });

  it('follows Redis also into an epoch that it did not number, and back', async () => {
    const accountId = await test.account(USD);
    await ask(accountId, 1n);
    expect(await activateEpoch(test.database, 900n)).toMatchObject({ isChanged: true });
    await ask(accountId, 1n);
    expect(await activateEpoch(test.database, 1n)).toMatchObject({ isChanged: true, returnedNanoUsd: USD / 20n });
    expect(await activateEpoch(test.database, 900n)).toMatchObject({ isChanged: true });
    expect(await activeEpoch(test.database)).toBe(900n);
    await activateEpoch(test.database, await nextEpoch(test.database));
    expect(await nextEpoch(test.database)).toBeGreaterThan(900n);
    expect(await checkLedger(test.database)).toEqual({
      imbalanceNanoUsd: 0n,
      unbalancedTransactions: 0n,
      wrongBalances: 0n,
    });
  });
});
