import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkLedger } from '../ledger/check-ledger.js';
import { dumpStructure } from '../test-support/dump-structure.js';
import { TestDatabase } from '../test-support/test-database.js';
import { BASELINE, LAST_BEFORE_BASELINE } from './adopt-database.js';
import { applyMigrations } from './apply-migrations.js';
import { withMigrationLock } from './migration-lock.js';

const GOLDEN = new URL('../../prisma/structure.sql', import.meta.url);
const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);
/** The migrations after the baseline, the oldest first. */
const LATER = readdirSync(MIGRATIONS)
  .filter((name) => /^\d/.test(name) && name > BASELINE)
  .sort();
const golden = () => readFileSync(GOLDEN, 'utf8');

const NOTHING = { migrations: [], functions: { applied: [], dropped: [] } };

describe('applyMigrations', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await TestDatabase.openEmpty();
    await test.createRole();
  });

  afterEach(() => test.close());

  const sql = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);
  const migrate = () => applyMigrations(test.url, { services: test.name });
  const structure = async () => (await dumpStructure(test.database)).replaceAll(test.name, 'services');

  /** Gives an empty database the structure of the baseline, as its only migration. */
  async function makeBaseline(): Promise<void> {
    const baseline = readFileSync(new URL(`${BASELINE}/migration.sql`, MIGRATIONS), 'utf8');
    await withMigrationLock(test.url, (session) => session.query(baseline));
    await sql(`CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL,
      finished_at timestamptz, migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
      started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
    await sql(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
      VALUES ('baseline', 'x', '${BASELINE}', now(), 1)`);
  }

  /** Makes a database of the baseline match what the last migration before the baseline left. */
  async function makePredecessor(lastMigration: string): Promise<void> {
    await sql('DROP TABLE IF EXISTS applied_function');
    await sql(`UPDATE _prisma_migrations SET migration_name = '${lastMigration}', checksum = 'of another file'`);
    await sql('ALTER INDEX webhook_delivery_by_host RENAME TO webhook_delivery_lane');
    await sql('ALTER INDEX webhook_endpoint_with_orphans RENAME TO webhook_endpoint_leftovers');
    await sql('ALTER FUNCTION emit_budget_alert() RENAME TO tell_of_budget');
    await sql('ALTER TRIGGER emit ON budget_alert RENAME TO tell');
    await sql(
      `CREATE FUNCTION adopt_lost_task_holds(p_older_than_ms int) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'`,
    );
    await sql(`CREATE OR REPLACE FUNCTION usd_of(p_nano_usd bigint) RETURNS text LANGUAGE sql AS $$ SELECT 'stale' $$`);
  }

  it('gives the structure of the golden file (regenerate with UPDATE_GOLDEN=1 and review the diff)', async () => {
    await migrate();
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(GOLDEN, await structure());
    expect(await structure()).toBe(golden());
    expect(await checkLedger(test.database)).toMatchObject({ imbalanceNanoUsd: 0n, wrongBalances: 0n });
  });

  it('changes nothing in a database that is up to date', async () => {
    expect(await migrate()).toMatchObject({ migrations: [BASELINE, ...LATER] });
    expect(await migrate()).toEqual(NOTHING);
    expect(await structure()).toBe(golden());
  });

  it('may run several times at once: one run migrates, the others find nothing to do', async () => {
    const reports = await Promise.all([migrate(), migrate(), migrate()]);
    expect(reports.filter(({ migrations }) => migrations.length > 0)).toHaveLength(1);
    expect(reports.filter(({ functions }) => functions.applied.length > 0)).toHaveLength(1);
    expect(await structure()).toBe(golden());
  });

  it('adopts a database of the last migration before the baseline, with its data', async () => {
    await makeBaseline();
    // The functions of its triggers have no bodies yet.
    await sql('ALTER TABLE account DISABLE TRIGGER USER');
    await sql(`INSERT INTO account (id, email) VALUES ('acct_old', 'old@example.com')`);
    await sql('ALTER TABLE account ENABLE TRIGGER USER');
    await makePredecessor(LAST_BEFORE_BASELINE);
    expect(await structure()).not.toBe(golden());

    const report = await migrate();
    expect(report.migrations).toEqual(LATER);
    expect(report.functions.applied).toContain('usd_of');
    expect(report.functions.dropped).toEqual(['adopt_lost_task_holds']);
    expect(await structure()).toBe(golden());
    expect(await test.database.prisma.account.count({ where: { id: 'acct_old' } })).toBe(1);
    expect(await migrate()).toEqual(NOTHING);
  });

  it('goes on after a run that ended before it marked the baseline as applied', async () => {
    await makeBaseline();
    await sql(`UPDATE _prisma_migrations SET migration_name = '${LAST_BEFORE_BASELINE}'`);
    expect((await migrate()).migrations).toEqual(LATER);
    expect(await structure()).toBe(golden());
  });

  it('refuses a database that is older than the last migration before the baseline, and leaves it as it is', async () => {
    await migrate();
    await makePredecessor('20261122003100_tell_whose_holds_were_adopted');
    const before = await structure();
    await expect(migrate()).rejects.toThrow(
      'The database is too old: its last migration is 20261122003100_tell_whose_holds_were_adopted, and ' +
        `${LAST_BEFORE_BASELINE} is needed.`,
    );
    expect(await structure()).toBe(before);
  });

  it.each([LAST_BEFORE_BASELINE, BASELINE])(
    'refuses a database of %s that lacks what the baseline has gained, and leaves it as it is',
    async (lastMigration) => {
      await migrate();
      await sql(`UPDATE _prisma_migrations SET migration_name = '${lastMigration}'`);
      await sql('ALTER TABLE account DROP COLUMN created_at');
      await sql('DROP TABLE cap_count CASCADE');
      const before = await structure();
      await expect(migrate()).rejects.toThrow(
        /^The database lacks \d+ columns of this release: account\.created_at, cap_count\..*empty database\.$/,
      );
      expect(await structure()).toBe(before);
    },
  );

  it('leaves the functions of a newer release as they are', async () => {
    await migrate();
    await sql(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
      VALUES ('newer', 'x', '29990101000000_newer', now(), 1)`);
    await sql(`UPDATE applied_function SET sha256 = 'newer'`);
    expect(await migrate()).toEqual(NOTHING);
  });
});
