import { newRequestId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { listPostings } from '../ledger/list-postings.js';
import { findSettlement } from '../settlements/find-settlement.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { countTouchedRows } from '../test-support/count-touched-rows.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { analyzeMonths, makeMonthPartitions, readMonthState } from './month-partitions.js';

let test: TestDatabase;
let accountId: string;
let epoch: bigint;

beforeAll(async () => {
  test = await TestDatabase.openFor('services');
  accountId = await test.account();
  epoch = await nextEpoch(test.database);
  await activateEpoch(test.database, epoch);
});

afterAll(() => test.close());

const record = (streamId: string, requestId: string, cost = 5n) =>
  recordSettlements(test.database, [{ streamId, event: sampleEvent(accountId, cost, { requestId }) }], epoch);
const partitionOf = async (requestId: string) => {
  const [row] = await test.database.prisma.$queryRaw<{ name: string }[]>`
    SELECT tableoid::regclass::text AS name FROM settlement WHERE request_id = ${requestId}`;
  return row?.name;
};
const at = (time: string) => Date.parse(time);

describe('makeMonthPartitions, as the role of the services', () => {
  it('makes what is missing, once, also when several ask at the same time', async () => {
    const made = await Promise.all([1, 2, 3].map(() => makeMonthPartitions(test.database, 3)));
    expect(made.filter((names) => names.length > 0)).toHaveLength(1);
    expect(made.flat()).toHaveLength(6);
    const { endsAt, strays } = await readMonthState(test.database);
    const now = new Date();
    expect({ endsAt, strays }).toEqual({
      endsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 4)),
      strays: 0,
    });
  });

  it('leaves archiving to the owner, and gives no way around the parent tables', async () => {
    const refused = (statement: string) =>
      expect(test.database.prisma.$queryRawUnsafe(statement)).rejects.toThrow(/permission denied|must be owner/);
    await refused(`SELECT archive_months('2026-01-01')`);
    await refused('DELETE FROM settlement_other');
    await refused('DELETE FROM ledger_entry_undated');
    await refused('ALTER TABLE settlement DETACH PARTITION settlement_other');
    await refused(`INSERT INTO ledger_archive VALUES ('x', 1, 1, 1)`);
  });

  it('counts the rows of the whole tables once a day', async () => {
    expect(await analyzeMonths(test.database)).toBe(true);
    expect(await analyzeMonths(test.database)).toBe(false);
  });
});

it('settles into a month that was counted while it was empty, and reads nothing twice', async () => {
  const other = await test.account();
  const batches = 3;
  const batchSize = 100;
  const batch = (database: TestDatabase['database']) => {
    const settlements = Array.from({ length: batchSize }, (_, index) => {
      const requestId = newRequestId();
      return { streamId: `7-${index}`, event: sampleEvent(other, 5n, { requestId }) };
    });
    return recordSettlements(database, settlements, epoch);
  };
  for (const table of ['ledger_transaction', 'settlement']) {
    const { rows } = await countTouchedRows(test.url, table, async (database) => {
      for (let count = 0; count < batches; count += 1) {
        expect(await batch(database)).toMatchObject({ newRequests: batchSize });
      }
    });
    // The plan of the first batch is kept. If it read the month, each batch would read those before it again.
    expect(rows).toBeLessThanOrEqual(batches * batchSize);
  }
});

it('makes months while others settle, and neither fails', async () => {
  const settle = async (copy: number) => {
    for (let index = 0; index < 20; index += 1)
      expect(await record(`8-${copy}${index}`, newRequestId(), 0n)).toMatchObject({ newRequests: 1 });
  };
  const make = async () => {
    for (const year of [2051, 2052, 2053])
      await test.database.prisma
        .$queryRaw`SELECT make_month_partitions(make_date(${year}::int, 1, 1), make_date(${year}::int, 2, 1))`;
  };
  await expect(Promise.all([settle(1), make(), settle(2), settle(3)])).resolves.toBeDefined();
});

describe('a request id', () => {
  it('finds its receipt in one partition', async () => {
    const requestId = newRequestId();
    await record('1-1', requestId);
    const plan = await test.database.prisma.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN SELECT * FROM settlement WHERE request_id = '${requestId}'`,
    );
    const scans = plan.map((line) => line['QUERY PLAN']).filter((line) => line.includes('Scan'));
    expect(scans).toHaveLength(1);
    expect(await partitionOf(requestId)).toMatch(/^settlement_y\d{4}m\d\d$/);
    expect(await listPostings(test.database, { accountId, requestId })).toHaveLength(2);
  });

  it('is settled once on both sides of the end of its month', async () => {
    const now = new Date();
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    for (const [index, requestId] of [newRequestId(end - 1), newRequestId(end)].entries()) {
      expect(await record(`2-${index}`, requestId)).toMatchObject({ newRequests: 1 });
      expect(await record(`2-${index}`, requestId)).toMatchObject({ newRequests: 0, doubleCharges: [] });
      expect(await record(`3-${index}`, requestId)).toMatchObject({ newRequests: 0, doubleCharges: [`3-${index}`] });
    }
    const [one, two] = [await partitionOf(newRequestId(end - 1)), await partitionOf(newRequestId(end))];
    expect([one, two]).toEqual([undefined, undefined]);
  });

  it('made before ids carried their month is settled once too', async () => {
    const requestId = `req_${'a2'.repeat(13)}`;
    expect(await record('4-1', requestId)).toMatchObject({ newRequests: 1 });
    expect(await record('4-2', requestId)).toMatchObject({ newRequests: 0, doubleCharges: ['4-2'] });
    expect(await partitionOf(requestId)).toBe('settlement_undated');
    expect(await listPostings(test.database, { accountId, requestId })).toHaveLength(2);
  });

  it('of a month without a partition is settled once, and moves when its month is made', async () => {
    const requestId = newRequestId(at('2041-05-03T00:00:00Z'));
    expect(await record('5-1', requestId)).toMatchObject({ newRequests: 1 });
    expect(await partitionOf(requestId)).toBe('settlement_other');
    expect(await readMonthState(test.database)).toMatchObject({ strays: 1 });
    await test.database.prisma.$queryRaw`SELECT make_month_partitions('2041-05-01', '2041-05-31')`;
    expect(await partitionOf(requestId)).toBe('settlement_y2041m05');
    expect(await readMonthState(test.database)).toMatchObject({ strays: 0 });
    expect(await record('5-2', requestId)).toMatchObject({ newRequests: 0, doubleCharges: ['5-2'] });
    expect(await findSettlement(test.database, accountId, requestId)).toMatchObject({ costNanoUsd: 5n });
  });

  it('leaves sums and ledger equal to the receipts', async () => {
    const [sums] = await test.database.prisma.$queryRaw<{ receipts: bigint; reported: bigint; charged: bigint }[]>`
      SELECT (SELECT sum(cost_nano_usd)::bigint FROM settlement WHERE account_id = ${accountId}) AS receipts,
        (SELECT sum(cost_nano_usd)::bigint FROM usage_rollup WHERE account_id = ${accountId}) AS reported,
        (SELECT -sum(balance_nano_usd)::bigint FROM ledger_balance
          WHERE ledger_account_id IN (ledger_account_of('escrow', ${accountId}), ledger_account_of('customer', ${accountId}))) AS charged`;
    expect(sums).toEqual({ receipts: 25n, reported: 25n, charged: 25n });
    expect(await checkLedger(test.database)).toMatchObject({
      imbalanceNanoUsd: 0n,
      wrongBalances: 0n,
      wrongUsageSums: 0n,
    });
  });
});

it('moves postings without a month together with their entries', async () => {
  const { prisma } = test.database;
  await prisma.$executeRaw`WITH posted AS (
      INSERT INTO ledger_transaction (id, reference, kind, account_id)
        VALUES (ledger_month_floor('2042-02-02Z') + 1, 'settlement:later', 'settlement', ${accountId}) RETURNING id)
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      SELECT id, ledger_account_of('customer', ${accountId}), -3 FROM posted
      UNION ALL SELECT id, ledger_account_of('revenue', NULL), 3 FROM posted`;
  const [before] = [await readMonthState(test.database)];
  expect(before).toMatchObject({ strays: 1 });
  await prisma.$queryRaw`SELECT make_month_partitions('2042-02-01', '2042-02-01')`;
  const entries = await prisma.$queryRaw<{ name: string }[]>`
    SELECT tableoid::regclass::text AS name FROM ledger_entry WHERE transaction_id >= ledger_month_floor('2042-02-01Z')`;
  expect(entries).toEqual([{ name: 'ledger_entry_y2042m02' }, { name: 'ledger_entry_y2042m02' }]);
  expect(await readMonthState(test.database)).toMatchObject({ strays: 0 });
  expect(await checkLedger(test.database)).toMatchObject({ imbalanceNanoUsd: 0n, wrongBalances: 0n });
});
