import { randomInt } from 'node:crypto';
import { newRequestId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { activateEpoch } from '../epochs/epochs.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { postCredit } from '../ledger/post-credit.js';
import { TestDatabase } from '../test-support/test-database.js';
import { keepLedgerMonths } from './ledger-months.js';
import { statementCharges } from './statement-charges.js';
import { listStatementMonths } from './statement-months.js';
import { statementTotals } from './statement-totals.js';

const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
/** At the borders of months in the zones, and within months. */
const TIMES = [
  '2026-01-15T12:00:00Z',
  '2026-01-31T09:59:59.999Z',
  '2026-01-31T10:00:00Z',
  '2026-01-31T18:15:00Z',
  '2026-01-31T23:59:59.999Z',
  '2026-02-01T00:00:00Z',
  '2026-02-01T04:59:59.999Z',
  '2026-02-01T05:00:00Z',
  '2026-02-14T00:07:00Z',
  '2026-03-31T18:14:59.999Z',
  '2026-03-31T18:15:00Z',
  '2026-04-01T03:59:59Z',
  '2026-04-01T04:00:00Z',
];

let test: TestDatabase;
let accountId: string;

const sql = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);

/** What settlement writes, as if it had happened then. */
async function charge(time: string): Promise<void> {
  const requestId = newRequestId(Date.parse(time));
  const cost = 1 + randomInt(1_000);
  await sql(`INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
      price_version, unit_prices, units, is_estimated, attempts, schema_version, admitted_at, settled_at, recorded_at,
      stream_entry_id, epoch)
    VALUES ('${requestId}', '${accountId}', 'key', 'chat.completions', 'gm-2', 'completed', 0, ${cost}, 'p', '{}', '{}',
      false, '[]', 1, '${time}', '${time}', '${time}', '${requestId}', 1)`);
  await sql(`WITH posted AS (
      INSERT INTO ledger_transaction (id, reference, kind, account_id, created_at)
        VALUES (ledger_month_floor('${time}') + nextval('ledger_transaction_id_seq'), 'settlement:${requestId}', 'settlement',
          '${accountId}', '${time}') RETURNING id)
    INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
      SELECT id, ledger_account_of('customer', '${accountId}'), -${cost} FROM posted
      UNION ALL SELECT id, ledger_account_of('revenue', NULL), ${cost} FROM posted`);
}

/** The list of statements and every statement of a past month, in every zone. */
async function statements(): Promise<unknown[]> {
  const all = [];
  for (const timeZone of ZONES) {
    const months = await listStatementMonths(test.database, { accountId, timeZone });
    all.push([timeZone, months]);
    for (const { month } of months.filter(({ month }) => month < '2026-06')) {
      const totals = await statementTotals(test.database, { accountId, month, timeZone });
      all.push([month, totals, await statementCharges(test.database, { accountId, ...totals })]);
    }
  }
  return all;
}

async function keepAll(): Promise<number> {
  let months = 0;
  for (let kept = -1; kept !== 0; months += kept) kept = await keepLedgerMonths(test.database);
  return months;
}
const wrongSums = async () => (await checkLedger(test.database)).wrongUsageSums;

beforeAll(async () => {
  test = await TestDatabase.open();
  await activateEpoch(test.database, 1n);
  await sql(`SELECT make_month_partitions('2026-01-01', now()::date)`);
  accountId = await test.account();
  const credit = { accountId, kind: 'top_up', amountNanoUsd: 1_000_000n, reason: 'r' } as const;
  expect(await postCredit(test.database, { ...credit, reference: 'once' })).toMatchObject({ outcome: 'posted' });
  for (const time of [...TIMES, new Date(Date.now() - 120_000).toISOString()]) await charge(time);
});

afterAll(() => test.close());

describe('kept months of the ledger', () => {
  let before: unknown[];

  it('are of large accounts only: those with kept days', async () => {
    before = await statements();
    expect(before.length).toBeGreaterThan(4 * ZONES.length);
    expect(await keepAll()).toBe(0);
  });

  it('give the same statements as the entries, in every time zone', async () => {
    await sql(`INSERT INTO usage_day VALUES ('${accountId}', '2025-01-01Z', '2025-01-02Z', 0, '[]')`);
    expect(await keepAll()).toBeGreaterThanOrEqual(4);
    expect(await statements()).toEqual(before);
    expect(await wrongSums()).toBe(0n);
    expect(await keepLedgerMonths(test.database)).toBe(0);
  });

  it('are left out from the moment that something is booked in their month', async () => {
    await charge('2026-02-03T00:00:00Z');
    await charge('2026-02-28T20:00:00Z');
    const late = await statements();
    expect(late).not.toEqual(before);
    expect(await wrongSums()).toBe(0n);
    await sql('DELETE FROM ledger_month');
    expect(await statements()).toEqual(late);
    await keepAll();
    expect(await statements()).toEqual(late);
  });

  it('serve the statements; the check of the ledger finds one that is wrong', async () => {
    const right = await statements();
    for (const list of ['lines', 'charges', 'amounts']) {
      await sql(`UPDATE ledger_month SET ${list}[1] = ${list}[1] + 1 WHERE month = 675 AND cardinality(starts) > 0`);
      expect(await wrongSums()).toBe(1n);
      expect(await statements()).not.toEqual(right);
      await sql(`UPDATE ledger_month SET ${list}[1] = ${list}[1] - 1 WHERE month = 675`);
      expect(await statements()).toEqual(right);
    }
    expect(await wrongSums()).toBe(0n);
  });

  it('cannot be changed by the services', async () => {
    const services = await TestDatabase.openFor('services');
    await expect(services.database.prisma.$executeRawUnsafe('DELETE FROM ledger_month')).rejects.toThrow(
      'permission denied',
    );
    expect(await keepLedgerMonths(services.database)).toBe(0);
    await services.close();
  });
});
