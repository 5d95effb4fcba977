import { newRequestId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isInvalidDataError } from '../database-failure.js';
import { activateEpoch } from '../epochs/epochs.js';
import { readLedgerBalances } from '../ledger/balance.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { postCredit } from '../ledger/post-credit.js';
import { reverseTransaction } from '../ledger/reverse-transaction.js';
import { findSettlement } from '../settlements/find-settlement.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { marginReport } from '../statements/margin-report.js';
import { statementTotals } from '../statements/statement-totals.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';

let test: TestDatabase;
let accountId: string;
const charged: { readonly requestId: string; readonly month: string }[] = [];

const sql = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);
const names = async (statement: string) =>
  (await test.database.prisma.$queryRawUnsafe<{ name: string }[]>(statement)).map(({ name }) => name);
const archive = (before: string) => names(`SELECT archive_months('${before}') AS name`);

/** What settlement writes, as if it had happened then. */
async function charge(time: string, costNanoUsd: bigint): Promise<void> {
  const requestId = newRequestId(Date.parse(time));
  await sql(`INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
      price_version, unit_prices, units, is_estimated, attempts, schema_version, admitted_at, settled_at, stream_entry_id, epoch)
    VALUES ('${requestId}', '${accountId}', 'key', 'chat.completions', 'gm-2', 'completed', 0, ${costNanoUsd}, 'p', '{}', '{}',
      false, '[]', 1, '${time}', '${time}', '${requestId}', 1)`);
  await sql(`WITH posted AS (
      INSERT INTO ledger_transaction (id, reference, kind, account_id, created_at)
        VALUES (ledger_month_floor('${time}') + nextval('ledger_transaction_id_seq'), 'settlement:${requestId}', 'settlement',
          '${accountId}', '${time}') RETURNING id)
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      SELECT id, ledger_account_of('customer', '${accountId}'), -${costNanoUsd} FROM posted
      UNION ALL SELECT id, ledger_account_of('revenue', NULL), ${costNanoUsd} FROM posted`);
  charged.push({ requestId, month: time.slice(0, 7) });
}

const requestOf = (month: string) => charged.find((one) => one.month === month)?.requestId ?? '';
const isRight = async () =>
  expect(await checkLedger(test.database)).toMatchObject({
    imbalanceNanoUsd: 0n,
    unbalancedTransactions: 0n,
    wrongBalances: 0n,
    wrongUsageSums: 0n,
  });
const totals = (month: string) => statementTotals(test.database, { accountId, month, timeZone: 'UTC' });
const credit = () => ({ reference: 'once', accountId, kind: 'top_up', amountNanoUsd: 1_000n, reason: 'r' }) as const;

beforeAll(async () => {
  test = await TestDatabase.open();
  await activateEpoch(test.database, 1n);
  await sql(`SELECT make_month_partitions('2026-01-01', '2026-04-01')`);
  accountId = await test.account();
  expect(await postCredit(test.database, credit())).toMatchObject({ outcome: 'posted' });
  await charge('2026-01-15T00:00:00Z', 100n);
  await charge('2026-01-31T23:59:59Z', 30n);
  await charge('2026-02-01T00:00:00Z', 20n);
  await charge('2026-03-03T00:00:00Z', 7n);
});

afterAll(() => test.close());

describe('archive_months', () => {
  it('refuses a day within a month, and a month that is too young', async () => {
    await expect(archive('2026-02-15')).rejects.toThrow('p_before must be the first day of a month');
    const thisMonth = `${new Date().toISOString().slice(0, 7)}-01`;
    await expect(archive(thisMonth)).rejects.toThrow('a month ago or more');
  });

  it('detaches the ledger of each month, and the receipts a month later', async () => {
    expect(await totals('2026-02')).toMatchObject({
      openingNanoUsd: -130n,
      archivedUntil: null,
      differenceNanoUsd: 0n,
    });
    expect(await archive('2026-02-01')).toEqual([
      'ledger_entry_undated',
      'ledger_transaction_undated',
      'ledger_entry_y2026m01',
      'ledger_transaction_y2026m01',
      'settlement_undated',
    ]);
    // A dump of them is restored into a database that has nothing else.
    const defaults = await names(`SELECT DISTINCT pg_get_expr(adbin, adrelid) AS name FROM pg_attrdef
      JOIN pg_class ON pg_class.oid = adrelid WHERE relkind = 'r' AND relname IN (SELECT name FROM archived_partition)`);
    expect(defaults).toEqual(['CURRENT_TIMESTAMP']);
    await isRight();
    expect(await findSettlement(test.database, accountId, requestOf('2026-01'))).toMatchObject({ costNanoUsd: 100n });
    expect(await archive('2026-03-01')).toEqual([
      'ledger_entry_y2026m02',
      'ledger_transaction_y2026m02',
      'settlement_y2026m01',
    ]);
    expect(await findSettlement(test.database, accountId, requestOf('2026-01'))).toBeNull();
    expect(await archive('2026-03-01')).toEqual([]);
  });

  it('leaves balances, statements and sums of reports as they were, also after the tables are dropped', async () => {
    const [ledger] = await test.database.prisma.$queryRawUnsafe<{ same: boolean }[]>(`
      SELECT (SELECT sum(amount_nano_usd) FROM ledger_entry_y2026m01) = 0
        AND (SELECT sum(amount_nano_usd) FROM ledger_archive) = 0
        AND (SELECT sum(entries) FROM ledger_archive) = 6 AS same`);
    expect(ledger).toEqual({ same: true });
    for (const table of [
      'ledger_entry_y2026m01',
      'ledger_transaction_y2026m01',
      'settlement_y2026m01',
      'settlement_undated',
    ])
      await sql(`DROP TABLE ${table}`);
    await isRight();
    expect(await readLedgerBalances(test.database, accountId)).toMatchObject({ customerNanoUsd: 1_000n - 157n });
    expect(await totals('2026-03')).toMatchObject({
      openingNanoUsd: -150n,
      closingNanoUsd: -157n,
      chargesNanoUsd: -7n,
      differenceNanoUsd: 0n,
      archivedUntil: null,
    });
    const year = { from: new Date('2026-01-01Z'), to: new Date('2026-04-01Z') } as const;
    const sums = await marginReport(test.database, { ...year, groupBy: 'model', accountId });
    expect(sums).toMatchObject([{ requests: 4n, chargedNanoUsd: 157n }]);
  });

  it('says of a statement that its month is archived', async () => {
    for (const month of ['2026-01', '2026-02'])
      expect(await totals(month)).toMatchObject({ archivedUntil: new Date('2026-03-01Z') });
    const east = await statementTotals(test.database, { accountId, month: '2026-03', timeZone: 'Pacific/Kiritimati' });
    expect(east).toMatchObject({ archivedUntil: new Date('2026-03-01Z') });
  });

  it('refuses a late event of an archived request, and charges no customer twice', async () => {
    for (const requestId of [requestOf('2026-01'), `req_${'a2'.repeat(13)}`]) {
      const late = sampleEvent(accountId, 100n, { requestId });
      const recorded = recordSettlements(test.database, [{ streamId: '9-1', event: late }], 1n);
      const error: unknown = await recorded.then(
        () => null,
        (refusal: unknown) => refusal,
      );
      expect(String(error)).toContain('month_is_not_archived');
      expect(isInvalidDataError(error)).toBe(true);
    }
    await isRight();
  });

  it('does not reverse an archived charge, and still knows the references of credits', async () => {
    const reference = `settlement:${requestOf('2026-01')}`;
    expect(await reverseTransaction(test.database, accountId, reference, 'r')).toBeNull();
    expect(await postCredit(test.database, credit())).toMatchObject({ outcome: 'repeated' });
    const living = `settlement:${requestOf('2026-03')}`;
    expect(await reverseTransaction(test.database, accountId, living, 'r')).toMatchObject({ outcome: 'posted' });
    expect(await reverseTransaction(test.database, accountId, living, 'r')).toMatchObject({ outcome: 'repeated' });
    await isRight();
  });

  it('is not made again by the maker of months', async () => {
    expect(await names(`SELECT make_month_partitions('2026-01-01', '2026-03-01') AS name`)).toEqual([]);
  });
});
