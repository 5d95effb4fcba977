import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adoptDatabase, appliedMigrations, BASELINE } from './adopt-database.js';
import { type AppliedFunctions, applyFunctions, readFunctions } from './apply-functions.js';
import { endAbandonedStatements } from './end-abandoned-statements.js';
import { grantServiceRoles, type ServiceRoles } from './grant-service-roles.js';
import { inTransaction, type Session, withMigrationLock } from './migration-lock.js';
import { openSchemaEngine } from './schema-engine.js';

const FOLDER = join(import.meta.dirname, '../../prisma/migrations');
const LOCK_FILE = 'migration_lock.toml';
const SCRIPT = 'migration.sql';

export interface MigrationReport {
  /** Names of the migrations that this run has applied. */
  readonly migrations: readonly string[];
  /** Names of the functions that this run has created, replaced or dropped. */
  readonly functions: AppliedFunctions;
}

async function readMigrations() {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (name) => ({
      path: name,
      migrationFile: {
        path: SCRIPT,
        content: { tag: 'ok' as const, value: await readFile(join(FOLDER, name, SCRIPT), 'utf8') },
      },
    })),
  );
  const content = await readFile(join(FOLDER, LOCK_FILE), 'utf8');
  return { baseDir: FOLDER, lockfile: { path: LOCK_FILE, content }, shadowDbInitScript: '', migrationDirectories };
}

type MigrationsList = Awaited<ReturnType<typeof readMigrations>>;

const scriptOf = ({ migrationDirectories }: MigrationsList, name: string): string =>
  migrationDirectories.find(({ path }) => path === name)?.migrationFile.content.value ?? '';

/**
 * Migrates a database to this release: migrations, functions, the rights of the services' roles, and a setting.
 * A run that finds nothing to do changes nothing; runs at the same time wait for each other. A database that a newer
 * release has migrated stays as it is. The address must lead to PostgreSQL itself, not to a pooler.
 */
export function applyMigrations(databaseUrl: string, roles: ServiceRoles = {}): Promise<MigrationReport> {
  return withMigrationLock(databaseUrl, async (session) => {
    const list = await readMigrations();
    const isAdopted = await adoptDatabase(session, scriptOf(list, BASELINE));
    const migrations = await applyScripts(databaseUrl, list, isAdopted);
    let functions: AppliedFunctions = { applied: [], dropped: [] };
    const isNewer = await hasNewerMigration(session, list);
    await inTransaction(session, async () => {
      if (!isNewer) functions = await applyFunctions(session, await readFunctions());
      // In one transaction: a function that the services may not call is never visible.
      await grantServiceRoles(session, roles);
      await endAbandonedStatements(session);
    });
    return { migrations, functions };
  });
}

/** Prisma's own `migrate deploy` with its table `_prisma_migrations`, run from the npm package: nothing is downloaded. */
async function applyScripts(
  databaseUrl: string,
  migrationsList: MigrationsList,
  isAdopted: boolean,
): Promise<readonly string[]> {
  const { engine, close } = await openSchemaEngine(databaseUrl);
  try {
    if (isAdopted) await engine.markMigrationApplied({ migrationName: BASELINE, migrationsList });
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList,
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  } finally {
    await close();
  }
}

/** True after a newer release has migrated: its functions must not be replaced by older ones. */
async function hasNewerMigration(session: Session, { migrationDirectories }: MigrationsList): Promise<boolean> {
  const newest = migrationDirectories.at(-1)?.path ?? '';
  return (await appliedMigrations(session)).some((name) => name > newest);
}
