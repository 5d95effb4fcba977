import { readdirSync, readFileSync } from 'node:fs';
import { newRequestId } from '@gateway/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { activateEpoch } from '../epochs/epochs.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { listLedger } from '../ledger/list-ledger.js';
import { listPostings } from '../ledger/list-postings.js';
import { postCredit } from '../ledger/post-credit.js';
import { reverseTransaction } from '../ledger/reverse-transaction.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { applyMigrations } from './apply-migrations.js';
import { withMigrationLock } from './migration-lock.js';

const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);
const MONTHS = '20261122190501_tables_by_month';
const accountId = 'acct_one';
const OLD = `req_${'a2'.repeat(13)}`;
const DATED = newRequestId();

let test: TestDatabase;

/** A database that the release before the months has filled. The functions of its triggers have no bodies yet. */
async function fill(): Promise<void> {
  const earlier = readdirSync(MIGRATIONS)
    .filter((name) => /^\d/.test(name) && name < MONTHS)
    .sort();
  await withMigrationLock(test.url, async (session) => {
    for (const name of earlier) await session.query(readFileSync(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8'));
    await session.query(`CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL,
      finished_at timestamptz, migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
      started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
    for (const [index, name] of earlier.entries())
      await session.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
        VALUES ('${index}', 'x', '${name}', now(), 1)`);
    for (const table of ['account', 'ledger_account', 'ledger_entry', 'ledger_balance', 'settlement'])
      await session.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await session.query(`INSERT INTO account (id, email) VALUES ('${accountId}', 'one@example.com');
      INSERT INTO ledger_account (id, kind, account_id) SELECT 100 + n, kind, '${accountId}'
        FROM unnest(ARRAY['customer', 'escrow', 'task_holds']) WITH ORDINALITY AS kinds (kind, n);
      INSERT INTO ledger_transaction (id, reference, kind, account_id) VALUES (1, 'credit:first', 'top_up', '${accountId}'),
        (2, 'settlement:${OLD}', 'settlement', '${accountId}'), (3, 'settlement:${DATED}', 'settlement', '${accountId}');
      INSERT INTO credit (reference, account_id, kind, amount_nano_usd, reason, transaction_id)
        VALUES ('first', '${accountId}', 'top_up', 90, 'r', 1);
      INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)
        SELECT one.id, house.id, -amount FROM (VALUES (1, 'top_ups', 90), (2, 'revenue', -10), (3, 'revenue', -10)) AS one (id, kind, amount)
          JOIN ledger_account AS house USING (kind)
        UNION ALL VALUES (1, 101, 90), (2, 101, -10), (3, 101, -10);
      INSERT INTO ledger_balance (ledger_account_id, balance_nano_usd)
        SELECT ledger_account.id, coalesce(sum(amount_nano_usd), 0) FROM ledger_account
          LEFT JOIN ledger_entry ON ledger_account_id = ledger_account.id GROUP BY 1
        ON CONFLICT (ledger_account_id) DO UPDATE SET balance_nano_usd = excluded.balance_nano_usd;
      INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd, price_version,
          unit_prices, units, is_estimated, attempts, schema_version, admitted_at, settled_at, stream_entry_id, epoch)
        SELECT id, '${accountId}', 'key', 'chat.completions', 'gm-2', 'completed', 10, 10, 'p', '{}', '{}', false, '[]', 1, now(),
          now(), id, 1 FROM unnest(ARRAY['${OLD}', '${DATED}']) AS id`);
    await session.query(`SELECT setval('ledger_transaction_id_seq', 3), setval('ledger_account_id_seq', 200)`);
    for (const table of ['account', 'ledger_account', 'ledger_entry', 'ledger_balance', 'settlement'])
      await session.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  });
}

beforeAll(async () => {
  test = await TestDatabase.openEmpty();
  await fill();
  expect((await applyMigrations(test.url)).migrations[0]).toBe(MONTHS);
});

afterAll(() => test.close());

it('splits a filled database by month, and loses nothing', async () => {
  const { prisma } = test.database;
  const found = await prisma.$queryRaw`SELECT request_id, tableoid::regclass::text AS name FROM settlement ORDER BY 1`;
  const [year, month] = [DATED.slice(4, 8), DATED.slice(8, 10)];
  expect(found).toEqual([
    { request_id: DATED, name: `settlement_y${year}m${month}` },
    { request_id: OLD, name: 'settlement_undated' },
  ]);
  const ledger = await prisma.$queryRaw`SELECT DISTINCT tableoid::regclass::text AS name FROM ledger_entry`;
  expect(ledger).toEqual([{ name: 'ledger_entry_undated' }]);
  expect(await checkLedger(test.database)).toMatchObject({
    imbalanceNanoUsd: 0n,
    unbalancedTransactions: 0n,
    wrongBalances: 0n,
  });
});

it('still settles, credits and reverses everything once', async () => {
  await activateEpoch(test.database, 1n);
  for (const requestId of [OLD, DATED]) {
    const event = sampleEvent(accountId, 10n, { requestId });
    const repeated = await recordSettlements(test.database, [{ streamId: '9-9', event }], 1n);
    expect(repeated).toMatchObject({ newRequests: 0, doubleCharges: ['9-9'] });
  }
  const credit = { reference: 'first', accountId, kind: 'top_up', amountNanoUsd: 90n, reason: 'r' } as const;
  expect(await postCredit(test.database, credit)).toMatchObject({ outcome: 'repeated', transactionId: 1n });
  const reverse = () => reverseTransaction(test.database, accountId, `settlement:${OLD}`, 'r');
  expect(await reverse()).toMatchObject({ outcome: 'posted', amountNanoUsd: 10n });
  expect(await reverse()).toMatchObject({ outcome: 'repeated', amountNanoUsd: 10n });
});

it('posts new transactions after the old ones', async () => {
  const lines = await listLedger(test.database, accountId, { afterId: null, limit: 10 });
  expect(lines.map(({ reference }) => reference)).toEqual([
    `reversal:settlement:${OLD}`,
    `settlement:${DATED}`,
    `settlement:${OLD}`,
    'credit:first',
  ]);
  expect(lines[0]?.id).toBeGreaterThan(2n ** 49n);
  expect(await listPostings(test.database, { accountId, requestId: OLD })).toHaveLength(4);
});
