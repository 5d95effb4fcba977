import { newKeyId, shardOf, type UsageSettled } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isInvalidDataError } from '../database-failure.js';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { grantEscrow } from '../escrow/grant-escrow.js';
import { findKey } from '../keys/find-key.js';
import { rotateKey } from '../keys/rotate-key.js';
import { readLedgerBalances } from '../ledger/balance.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { type UsageGroup, usageStatement } from '../statements/usage-statement.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { findSettlement } from './find-settlement.js';
import { recordSettlements } from './record-settlements.js';

describe('recordSettlements', () => {
  let test: TestDatabase;
  let epoch: bigint;

  beforeAll(async () => {
    test = await TestDatabase.open();
    epoch = await nextEpoch(test.database);
    await activateEpoch(test.database, epoch);
  });

  afterAll(() => test.close());

  const inEscrow = async (amount: bigint) => {
    const accountId = await test.account(amount);
    const block = { blockLimitNanoUsd: 1n, blockDivisor: 20n };
    await grantEscrow(test.database, { accountId, missingNanoUsd: amount, ...block });
    return accountId;
  };
  let streamIds = 0;
  const entry = (event: UsageSettled) => {
    streamIds += 1;
    return { streamId: `1-${streamIds}`, event };
  };
  const record = (entries: ReturnType<typeof entry>[], inEpoch = epoch) =>
    recordSettlements(test.database, entries, inEpoch);

  it('moves each cost from escrow to revenue, and posts nothing for a request without cost', async () => {
    const [a, b] = [await inEscrow(100n), await inEscrow(100n)];
    const events = [
      sampleEvent(a, 10n),
      sampleEvent(a, 5n),
      sampleEvent(b, 1n),
      sampleEvent(b, 0n, { outcome: 'failed' }),
    ];
    expect(await record(events.map(entry))).toEqual({
      outcome: 'recorded',
      newRequests: 4,
      capCounts: [],
      doubleCharges: [],
      exhaustedKeys: [],
      spendings: [],
    });
    expect(await readLedgerBalances(test.database, a)).toMatchObject({ customerNanoUsd: 0n, escrowNanoUsd: 85n });
    expect(await readLedgerBalances(test.database, b)).toMatchObject({ customerNanoUsd: 0n, escrowNanoUsd: 99n });
  });

  it('waits for no batch of other shards: each pays the revenue of its lowest shard', async () => {
    const one = await inEscrow(100n);
    let other = await inEscrow(100n);
    while (shardOf(other) === shardOf(one)) other = await inEscrow(100n);
    const revenue = () => test.database.prisma.$queryRaw`
      SELECT ledger_account_id::int AS id, balance_nano_usd AS amount FROM ledger_balance
        JOIN ledger_account ON id = ledger_account_id WHERE kind = 'revenue' AND ledger_account_id IN
        (${-1 - shardOf(one)}::int, ${-1 - shardOf(other)}::int) ORDER BY 1 DESC`;
    const before = (await revenue()) as { id: number; amount: bigint }[];
    await test.database.prisma.$transaction(async (transaction) => {
      const query = async (text: string, values: unknown[]) => ({
        rows: await transaction.$queryRawUnsafe<unknown[]>(text, ...values),
      });
      const open = { pool: { query } as unknown as TestDatabase['database']['pool'] };
      await recordSettlements(open, [entry(sampleEvent(one, 5n))], epoch);
      expect(await record([entry(sampleEvent(other, 7n))])).toMatchObject({ newRequests: 1 });
    });
    const paid = { [-1 - shardOf(one)]: 5n, [-1 - shardOf(other)]: 7n };
    expect(await revenue()).toEqual(before.map(({ id, amount }) => ({ id, amount: amount + (paid[id] ?? 0n) })));
    const low = Math.min(shardOf(one), shardOf(other));
    await record([entry(sampleEvent(one, 1n)), entry(sampleEvent(other, 1n))]);
    expect(await revenue()).toContainEqual({
      id: -1 - low,
      amount: (before.find(({ id }) => id === -1 - low)?.amount ?? 0n) + (paid[-1 - low] ?? 0n) + 2n,
    });
    expect(await checkLedger(test.database)).toMatchObject({ imbalanceNanoUsd: 0n, wrongBalances: 0n });
  });

  it('records an event once, from repeated and concurrent batches', async () => {
    const accountId = await inEscrow(100n);
    const entries = Array.from({ length: 20 }, () => entry(sampleEvent(accountId, 1n)));
    const results = await Promise.all(Array.from({ length: 8 }, () => record(entries)));
    expect(results.reduce((sum, result) => sum + (result.outcome === 'recorded' ? result.newRequests : 0), 0)).toBe(20);
    for (const result of results) expect(result).toMatchObject({ doubleCharges: [] });
    expect(await readLedgerBalances(test.database, accountId)).toMatchObject({ escrowNanoUsd: 80n });
  });

  it('reports a double charge, but not a redelivered event', async () => {
    const accountId = await inEscrow(100n);
    const event = sampleEvent(accountId, 10n);
    const [first, second] = [entry(event), entry({ ...event, costNanoUsd: '12' })];
    expect(await record([first, second])).toMatchObject({ newRequests: 1, doubleCharges: [second.streamId] });
    expect(await record([second])).toMatchObject({ newRequests: 0, doubleCharges: [second.streamId] });
    expect(await record([first])).toMatchObject({ newRequests: 0, doubleCharges: [] });
    expect(await readLedgerBalances(test.database, accountId)).toMatchObject({ escrowNanoUsd: 90n });
  });

  it('lets the escrow become negative: that is debt', async () => {
    const accountId = await inEscrow(5n);
    await record([entry(sampleEvent(accountId, 8n))]);
    expect(await readLedgerBalances(test.database, accountId)).toMatchObject({
      customerNanoUsd: 0n,
      escrowNanoUsd: -3n,
    });
  });

  it('writes nothing of a batch that the ledger refuses', async () => {
    const accountId = await inEscrow(100n);
    const good = entry(sampleEvent(accountId, 10n));
    const failure = await record([good, entry(sampleEvent('acct_unknown', 1n))]).catch((error: unknown) => error);
    expect(isInvalidDataError(failure)).toBe(true);
    expect(await findSettlement(test.database, accountId, good.event.requestId)).toBeNull();
    const odd = await record([entry(sampleEvent(accountId, 1n, { admittedAtMs: 1e300 }))]).catch(
      (error: unknown) => error,
    );
    expect(isInvalidDataError(odd)).toBe(true);
  });

  it('stores the whole receipt and returns it to its account only', async () => {
    const accountId = await inEscrow(100n);
    const event = sampleEvent(accountId, 10n, { firstByteAtMs: 1_500, errorCode: 'upstream_error', isEstimated: true });
    await record([entry(event)]);
    expect(await findSettlement(test.database, accountId, event.requestId)).toMatchObject({
      holdNanoUsd: 1_000n,
      costNanoUsd: 10n,
      unitPrices: { output_token: '10' },
      units: { output_token: 3 },
      attempts: event.attempts,
      isEstimated: true,
      errorCode: 'upstream_error',
      admittedAt: new Date(1_000),
      startedAt: null,
      firstByteAt: new Date(1_500),
    });
    expect(await findSettlement(test.database, await test.account(), event.requestId)).toBeNull();
  });

  it('adds up the spending of a key and returns it for Redis, also for requests recorded before', async () => {
    const accountId = await inEscrow(100n);
    const { id: keyId } = await test.key(accountId, 10n);
    const spending = (spentNanoUsd: string, version: string) => ({
      spendings: [{ spendingKeyId: keyId, spentNanoUsd, version }],
    });
    expect(await record([entry(sampleEvent(accountId, 9n, { keyId }))])).toMatchObject(spending('9', '1'));
    const two = [sampleEvent(accountId, 1n, { keyId, settledAtMs: 9_000 }), sampleEvent(accountId, 1n, { keyId })];
    const entries = two.map(entry);
    expect(await record(entries)).toMatchObject(spending('11', '2'));
    expect(await record(entries)).toMatchObject({ newRequests: 0, ...spending('11', '2') });
    expect(await findKey(test.database, { accountId }, keyId)).toMatchObject({
      spentNanoUsd: 11n,
      lastUsedAt: new Date(9_000),
    });
  });

  it('adds the spending of a key and its replacement, and stores the last use of each', async () => {
    const accountId = await inEscrow(100n);
    const { id: oldId } = await test.key(accountId, 10n);
    const keyId = newKeyId();
    const stored = { id: keyId, accountId, sha256: `sha-${keyId}`, prefix: 'p', isTest: false };
    await rotateKey(test.database, oldId, stored, new Date());
    const events = [
      sampleEvent(accountId, 3n, { keyId: oldId, settledAtMs: 5_000 }),
      sampleEvent(accountId, 4n, { keyId, settledAtMs: 7_000 }),
    ];
    expect(await record(events.map(entry))).toMatchObject({
      spendings: [{ spendingKeyId: oldId, spentNanoUsd: '7', version: '1' }],
    });
    const shared = { spentNanoUsd: 7n };
    expect(await findKey(test.database, { accountId }, oldId)).toMatchObject({
      ...shared,
      lastUsedAt: new Date(5_000),
    });
    expect(await findKey(test.database, { accountId }, keyId)).toMatchObject({
      ...shared,
      lastUsedAt: new Date(7_000),
    });
    const both = Array.from({ length: 20 }, (_, at) =>
      record([entry(sampleEvent(accountId, 1n, { keyId: at % 2 === 0 ? oldId : keyId }))]),
    );
    await Promise.all(both);
    expect(await findKey(test.database, { accountId }, keyId)).toMatchObject({ spentNanoUsd: 27n });
  });

  it('groups usage by day, model and key', async () => {
    const accountId = await inEscrow(100n);
    const day = (text: string) => new Date(text).getTime();
    await record(
      [
        sampleEvent(accountId, 1n, { settledAtMs: day('2026-11-01T23:59:59Z'), keyId: 'key_a' }),
        sampleEvent(accountId, 2n, { settledAtMs: day('2026-11-02T00:00:00Z'), units: { input_token: 4 } }),
        sampleEvent(accountId, 4n, { settledAtMs: day('2026-11-02T01:00:00Z') }),
        sampleEvent(accountId, 8n, { settledAtMs: day('2026-11-03T00:00:00Z') }),
      ].map(entry),
    );
    const days = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-11-03T00:00:00Z') };
    const usage = (groups: readonly UsageGroup[], period = days, timeZone = 'UTC') =>
      usageStatement(test.database, accountId, { ...period, groups, timeZone });
    expect(await usage(['day'])).toEqual([
      { groups: ['2026-11-01'], requests: 1n, costNanoUsd: 1n, units: { output_token: 3 } },
      { groups: ['2026-11-02'], requests: 2n, costNanoUsd: 6n, units: { input_token: 4, output_token: 3 } },
    ]);
    expect(await usage(['key'])).toMatchObject([
      { groups: ['key_a'], requests: 1n },
      { groups: ['key_none'], requests: 2n },
    ]);
    expect(await usage(['month', 'model', 'outcome'])).toMatchObject([
      { groups: ['2026-11', 'gm-2.5-pro', 'completed'], requests: 3n, costNanoUsd: 7n },
    ]);
    expect(await usage(['member', 'day'])).toMatchObject([
      { groups: [null, '2026-11-01'] },
      { groups: [null, '2026-11-02'] },
    ]);
    // A second later: the receipts themselves, with the same sums.
    const second = { from: new Date(days.from.getTime() - 1_000), to: days.to };
    for (const groups of [['hour', 'key', 'model'], ['day', 'endpoint'], ['month']] as const) {
      for (const zone of ['UTC', 'Asia/Kathmandu', 'America/New_York']) {
        expect(await usage(groups, second, zone)).toEqual(await usage(groups, days, zone));
      }
    }
  });

  it('returns `wait` for an epoch that the ledger has not followed', async () => {
    const accountId = await inEscrow(100n);
    const one = entry(sampleEvent(accountId, 10n));
    expect(await record([one], await nextEpoch(test.database))).toEqual({ outcome: 'wait' });
    expect(await readLedgerBalances(test.database, accountId)).toMatchObject({ escrowNanoUsd: 100n });
  });

  it('charges the customer directly once the escrow of the epoch has been returned', async () => {
    const accountId = await inEscrow(100n);
    await activateEpoch(test.database, await nextEpoch(test.database));
    await record([entry(sampleEvent(accountId, 10n))]);
    expect(await readLedgerBalances(test.database, accountId)).toMatchObject({
      customerNanoUsd: 90n,
      escrowNanoUsd: 0n,
    });
    expect(await checkLedger(test.database)).toEqual({
      imbalanceNanoUsd: 0n,
      unbalancedTransactions: 0n,
      wrongBalances: 0n,
      wrongUsageSums: 0n,
    });
  });
});
