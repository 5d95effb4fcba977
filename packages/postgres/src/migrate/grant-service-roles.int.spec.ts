import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginAudit, endAudit } from '../audit/audit-log.js';
import { removeExpiredEvents } from '../events/remove-expired-events.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { postCredit } from '../ledger/post-credit.js';
import { reverseTransaction } from '../ledger/reverse-transaction.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { endOf, TaskFixture } from '../test-support/task-fixture.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { WebhookFixture } from '../test-support/webhook-fixture.js';
import { applyMigrations } from './apply-migrations.js';

const BOOKS = ['ledger_transaction', 'ledger_entry', 'settlement', 'credit', 'price_override'];
const PROTECTED = [...BOOKS, 'audit_entry', 'audit_outcome', 'parked_event'];
const COLUMNS: Readonly<Record<string, string>> = {
  ledger_entry: 'amount_nano_usd',
  settlement: 'model',
  audit_entry: 'ip',
  audit_outcome: 'status',
  parked_event: 'reason',
};

describe('the role of the services', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await TestDatabase.openFor('services');
  });

  afterAll(() => test.close());

  const sql = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);

  it('suffices for money, tasks, events and webhooks', async () => {
    const tasks = await TaskFixture.open(test);
    const task = await tasks.queued();
    await tasks.bookHold(task);
    await tasks.store.finish(task, endOf('succeeded', 300n), { status: 'succeeded' });
    const event = sampleEvent(tasks.accountId, 10n, { keyId: tasks.keyId });
    expect(await recordSettlements(test.database, [{ streamId: '1-1', event }], 1n)).toMatchObject({ newRequests: 1 });
    await reverseTransaction(test.database, tasks.accountId, `settlement:${event.requestId}`, 'test');
    expect(await tasks.position()).toMatchObject({ taskHolds: 0n });
    const person = { personId: null, role: null, sessionId: null, administrator: null };
    const about = { ...person, subject: null, details: {}, ip: '::1', requestId: 'r' };
    const audit = { ...about, actor: 'administrator', accountId: null, action: 'a' } as const;
    const entry = await beginAudit(test.database, audit);
    await endAudit(test.database, entry, { status: 200, errorCode: null, accountId: null, subject: null });
    const hooks = new WebhookFixture(test, tasks.accountId);
    await hooks.endpoint('https://a.example/');
    await hooks.emit();
    await hooks.report(await hooks.claimOne(), { outcome: 'delivered' }, 200);
    expect(await removeExpiredEvents(test.database, 0, 100)).toBeGreaterThan(0);
    expect(await hooks.deliveries()).toEqual([]);
    expect(await checkLedger(test.database)).toMatchObject({ imbalanceNanoUsd: 0n, wrongBalances: 0n });
  });

  it.each(PROTECTED)('cannot update, delete or truncate %s, nor disable its triggers', async (table) => {
    const column = COLUMNS[table] ?? 'created_at';
    for (const statement of [
      `UPDATE ${table} SET ${column} = DEFAULT`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
    ]) {
      await expect(sql(statement)).rejects.toThrow('permission denied');
    }
    for (const statement of [
      `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
      `ALTER TABLE ${table} DISABLE TRIGGER append_only`,
      `DROP TABLE ${table} CASCADE`,
    ]) {
      await expect(sql(statement)).rejects.toThrow('must be owner');
    }
  });

  it.each([
    ['write a balance', 'UPDATE ledger_balance SET balance_nano_usd = 1'],
    ['lock one', 'SELECT 1 FROM ledger_balance FOR UPDATE'],
    ['open a ledger account', `INSERT INTO ledger_account (kind) VALUES ('revenue')`],
    ['bypass triggers', 'SET session_replication_role = replica'],
    ['create a temporary table, whose triggers could change balances', 'CREATE TEMP TABLE mine (id int)'],
    ['create a table', 'CREATE TABLE mine (id int)'],
    ['call a trigger function', 'SELECT post_ledger_entries()'],
    ['replace a trigger function', `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE sql AS ''`],
    ['delete an account and its audit log', 'DELETE FROM account'],
  ])('cannot %s', async (_what, statement) => {
    await expect(sql(statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('has rights on every table but those of people: a new table needs a row in roles.sql', async () => {
    const forgotten = await test.database.prisma.$queryRaw<{ relname: string }[]>`
      SELECT relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname NOT IN ('_prisma_migrations', 'applied_function')
        AND NOT has_table_privilege(oid, 'SELECT') ORDER BY relname`;
    expect(forgotten.map(({ relname }) => relname)).toEqual(TABLES_OF_PEOPLE);
  });

  it('gets the same rights when the migration is repeated', async () => {
    await applyMigrations(test.url, { services: test.name });
    await test.account(5n);
    await expect(applyMigrations(test.url, { services: 'unknown_role' })).rejects.toThrow('there is no role');
  });
});

/** Who people are, and what lets them in, is the business of accounts alone. */
const TABLES_OF_PEOPLE = ['invitation', 'mail', 'person', 'session'];

const LEDGER_TABLES = [
  'ledger_account',
  'ledger_balance',
  'ledger_transaction',
  'ledger_entry',
  'settlement',
  'credit',
  'escrow_grant',
  'escrow_return',
  'redis_epoch',
];

describe('the role of accounts', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await TestDatabase.openFor('accounts');
  });

  afterAll(() => test.close());

  const sql = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);

  it.each(LEDGER_TABLES)('reads %s, and inserts, updates or deletes nothing there', async (table) => {
    await expect(sql(`SELECT 1 FROM ${table}`)).resolves.toEqual(expect.any(Number));
    for (const statement of [
      `INSERT INTO ${table} DEFAULT VALUES`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table} CASCADE`,
    ]) {
      await expect(sql(statement)).rejects.toThrow('permission denied');
    }
  });

  it('opens accounts, and can neither credit nor reverse, nor move escrow', async () => {
    const accountId = await test.account();
    const credit = { accountId, reference: 'r', kind: 'top_up', amountNanoUsd: 5n, reason: 'mine' } as const;
    await expect(postCredit(test.database, credit)).rejects.toThrow('permission denied');
    await expect(sql(`SELECT grant_escrow('${accountId}', 1, 1, 1)`)).rejects.toThrow('permission denied');
    await expect(sql(`SELECT mirror_escrow('${accountId}', 1, 1, 1)`)).rejects.toThrow('permission denied');
    expect(await checkLedger(test.database)).toMatchObject({ imbalanceNanoUsd: 0n, wrongBalances: 0n });
  });

  it('gets the same rights when the migration is repeated', async () => {
    await applyMigrations(test.url, { accounts: test.name });
    await expect(sql('INSERT INTO ledger_transaction DEFAULT VALUES')).rejects.toThrow('permission denied');
  });
});
