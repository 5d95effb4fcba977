import { createRecord } from './apply-functions.js';
import { inTransaction, type Session } from './migration-lock.js';
import { missingColumns } from './missing-columns.js';

/** A database that this release cannot migrate. The message is for the person who migrates. */
export class UnsupportedDatabaseError extends Error {
  override readonly name = 'UnsupportedDatabaseError';
}

export const BASELINE = '20261122100000_baseline';
/** The last migration before the baseline. */
export const LAST_BEFORE_BASELINE = '20261122003200_end_endpoints_in_batches';

/** New names of the baseline. Each statement may run twice, because a run may end before it marks the baseline. */
const RENAMES = `
  ALTER INDEX IF EXISTS webhook_delivery_lane RENAME TO webhook_delivery_by_host;
  ALTER INDEX IF EXISTS webhook_endpoint_leftovers RENAME TO webhook_endpoint_with_orphans;
  DO $$ BEGIN
    IF to_regprocedure('tell_of_budget()') IS NOT NULL THEN
      ALTER FUNCTION tell_of_budget() RENAME TO emit_budget_alert;
      ALTER TRIGGER tell ON budget_alert RENAME TO emit;
    END IF;
  END $$`;

/** The names of the migrations that a database has, the oldest first; none if it is empty. */
export async function appliedMigrations(session: Session): Promise<readonly string[]> {
  const { rows: found } = await session.query<{ exists: boolean }>(
    `SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS exists`,
  );
  if (found[0]?.exists !== true) return [];
  const { rows } = await session.query<{ migration_name: string }>(
    `SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
     ORDER BY migration_name COLLATE "C"`,
  );
  return rows.map((row) => row.migration_name);
}

/**
 * Prepares a database from before the baseline, so that the baseline may be marked as applied. False: the
 * database is empty or has the baseline. Rejects if the database is older than the last migration before it, or lacks
 * what the baseline has gained since. `baseline`: its SQL.
 */
export async function adoptDatabase(session: Session, baseline: string): Promise<boolean> {
  const applied = await appliedMigrations(session);
  if (applied.length === 0) return false;
  if (applied.includes(BASELINE)) {
    if (applied.at(-1) === BASELINE) await expectStructure(session, baseline);
    return false;
  }
  if (!applied.includes(LAST_BEFORE_BASELINE)) {
    throw new UnsupportedDatabaseError(
      `The database is too old: its last migration is ${applied.at(-1)}, and ${LAST_BEFORE_BASELINE} is needed. ` +
        'Migrate it with the last commit that has that migration, or start with an empty database.',
    );
  }
  await expectStructure(session, baseline);
  await inTransaction(session, async () => {
    await session.query(RENAMES);
    await createRecord(session);
    // Records every function, so that those without a file are dropped.
    await session.query(
      `INSERT INTO applied_function (name, sha256)
       SELECT DISTINCT proname, '' FROM pg_proc WHERE pronamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
       ON CONFLICT DO NOTHING`,
    );
  });
  return true;
}

/** Later migrations may drop columns of the baseline, so only a database without them is compared. */
async function expectStructure(session: Session, baseline: string): Promise<void> {
  const missing = await missingColumns(session, baseline);
  if (missing.length === 0) return;
  const named = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ', …' : '');
  throw new UnsupportedDatabaseError(
    `The database lacks ${missing.length} columns of this release: ${named}. A commit between two releases made it, ` +
      'and nothing migrates it. Start with an empty database.',
  );
}
