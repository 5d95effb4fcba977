import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Prisma } from '../generated/client.js';
import { applyMigrations } from '../migrate/apply-migrations.js';
import { TestDatabase } from '../test-support/test-database.js';
import { readLedgerBalances } from './balance.js';
import { checkLedger } from './check-ledger.js';
import { listLedger } from './list-ledger.js';
import { postCredit } from './post-credit.js';

const uncapitalize = <Name extends string>(name: Name) =>
  (name.charAt(0).toLowerCase() + name.slice(1)) as Uncapitalize<Name>;

let test: TestDatabase;

beforeAll(async () => {
  test = await TestDatabase.open();
});

afterAll(() => test.close());

const run = (sql: string) => test.database.prisma.$executeRawUnsafe(sql);

describe('applyMigrations', () => {
  it('changes nothing in a migrated database', async () => {
    expect(await applyMigrations(test.url)).toEqual({ migrations: [], functions: { applied: [], dropped: [] } });
  });

  it('creates every table and column of schema.prisma', async () => {
    const models = Object.values(Prisma.ModelName);
    expect(models.length).toBeGreaterThan(10);
    for (const model of models) {
      const delegate = test.database.prisma[uncapitalize(model)] as { findFirst(): Promise<unknown> };
      await expect(delegate.findFirst()).resolves.toBeDefined();
    }
  });
});

describe('the ledger', () => {
  it('refuses to change or remove its rows', async () => {
    const accountId = await test.account(5n);
    for (const table of ['ledger_entry', 'ledger_transaction', 'settlement', 'credit']) {
      await expect(run(`UPDATE ${table} SET account_id = account_id`)).rejects.toThrow(/append-only|does not exist/);
      await expect(run(`DELETE FROM ${table}`)).rejects.toThrow('append-only');
      await expect(run(`TRUNCATE ${table} CASCADE`)).rejects.toThrow('append-only');
    }
    await expect(run('UPDATE ledger_entry SET amount_nano_usd = 9')).rejects.toThrow('append-only');
    expect(await readLedgerBalances(test.database, accountId)).toMatchObject({ customerNanoUsd: 5n });
  });

  it('refuses a direct change of a balance', async () => {
    await test.account(5n);
    await expect(run('UPDATE ledger_balance SET balance_nano_usd = 1000')).rejects.toThrow('follows ledger_entry');
    await expect(run('DELETE FROM ledger_balance')).rejects.toThrow('follows ledger_entry');
    await expect(run('INSERT INTO ledger_balance VALUES (999, 5)')).rejects.toThrow('follows ledger_entry');
  });

  it('refuses a transaction that does not sum to zero', async () => {
    const one = `WITH one AS (INSERT INTO ledger_transaction (reference, kind) VALUES ('x', 'top_up') RETURNING id)
      INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)`;
    await expect(run(`${one} SELECT id, 1, 5 FROM one`)).rejects.toThrow('does not sum to zero');
    const unequal = 'SELECT id, side.account, side.amount FROM one, (VALUES (1, 5), (2, -4)) AS side (account, amount)';
    await expect(run(`${one} ${unequal}`)).rejects.toThrow('does not sum to zero');
    await expect(run(`${one} SELECT id, 1, 0 FROM one`)).rejects.toThrow('ledger_entry_moves_something');
    expect(await checkLedger(test.database)).toEqual({
      imbalanceNanoUsd: 0n,
      unbalancedTransactions: 0n,
      wrongBalances: 0n,
      wrongUsageSums: 0n,
    });
  });

  it('refuses an entry whose transaction or ledger account does not exist, and keeps both', async () => {
    const entries = 'INSERT INTO ledger_entry (transaction_id, ledger_account_id, amount_nano_usd)';
    await expect(run(`${entries} VALUES (987654, 1, 5), (987654, 2, -5)`)).rejects.toThrow(
      'ledger transaction 987654 does not exist',
    );
    const one = `WITH one AS (INSERT INTO ledger_transaction (reference, kind) VALUES ('y', 'top_up') RETURNING id) ${entries}`;
    const sides =
      'SELECT id, side.account, side.amount FROM one, (VALUES (1, 5), (987654, -5)) AS side (account, amount)';
    await expect(run(`${one} ${sides}`)).rejects.toThrow('a ledger account does not exist');
    await test.account(5n);
    await expect(run('DELETE FROM ledger_account')).rejects.toThrow(/foreign key|violates RESTRICT/);
    await expect(run('TRUNCATE ledger_account CASCADE')).rejects.toThrow('refused');
  });

  it('posts a credit once among 50 concurrent calls', async () => {
    const accountId = await test.account();
    const credit = {
      reference: `ref-${accountId}`,
      accountId,
      kind: 'top_up',
      amountNanoUsd: 7n,
      reason: 'r',
    } as const;
    const results = await Promise.all(Array.from({ length: 50 }, () => postCredit(test.database, credit)));
    expect(results.filter(({ outcome }) => outcome === 'posted')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(49);
    expect(new Set(results.map((result) => 'transactionId' in result && result.transactionId)).size).toBe(1);
    expect(await readLedgerBalances(test.database, accountId)).toMatchObject({
      customerNanoUsd: 7n,
      customerVersion: 1n,
      escrowNanoUsd: 0n,
    });
  });

  it('distinguishes a repeated credit from another one with the same reference', async () => {
    const accountId = await test.account();
    const other = await test.account();
    const credit = {
      reference: `ref-${accountId}`,
      accountId,
      kind: 'top_up',
      amountNanoUsd: 7n,
      reason: 'r',
    } as const;
    await postCredit(test.database, credit);
    for (const changed of [{ amountNanoUsd: 8n }, { accountId: other }, { kind: 'adjustment' as const }]) {
      expect(await postCredit(test.database, { ...credit, ...changed })).toEqual({ outcome: 'conflict' });
    }
    const unknown = { ...credit, reference: 'ref-unknown', accountId: 'acct_unknown' };
    expect(await postCredit(test.database, unknown)).toEqual({ outcome: 'unknown_account' });
  });

  it('lists transactions that changed what the customer owns, in pages, the newest first', async () => {
    const accountId = await test.account();
    for (const [index, kind] of (['top_up', 'adjustment', 'top_up'] as const).entries()) {
      const amountNanoUsd = kind === 'adjustment' ? -2n : 5n;
      await postCredit(test.database, {
        reference: `${accountId}-${index}`,
        accountId,
        kind,
        amountNanoUsd,
        reason: 'r',
      });
    }
    const first = await listLedger(test.database, accountId, { afterId: null, limit: 2 });
    expect(first.map(({ kind, amountNanoUsd }) => [kind, amountNanoUsd])).toEqual([
      ['top_up', 5n],
      ['adjustment', -2n],
    ]);
    const rest = await listLedger(test.database, accountId, { afterId: first[1]?.id ?? null, limit: 2 });
    expect(rest).toMatchObject([{ reference: `credit:${accountId}-0`, amountNanoUsd: 5n }]);
    const oldest = await listLedger(test.database, accountId, { afterId: null, limit: 9, order: 'oldest' });
    expect(oldest.map(({ reference }) => reference)).toEqual([0, 1, 2].map((n) => `credit:${accountId}-${n}`));
    const afterFirst = { afterId: oldest[0]?.id ?? null, limit: 9, order: 'oldest' } as const;
    expect(await listLedger(test.database, accountId, afterFirst)).toEqual(oldest.slice(1));
    const adjustments = await listLedger(test.database, accountId, { afterId: null, limit: 9, kind: 'adjustment' });
    expect(adjustments).toEqual([oldest[1]]);
    const later = { afterId: null, limit: 9, from: new Date(Date.now() + 60_000) };
    expect(await listLedger(test.database, accountId, later)).toEqual([]);
  });
});
