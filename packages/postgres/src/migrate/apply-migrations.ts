import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSchemaEngine } from './schema-engine.js';

const FOLDER = join(import.meta.dirname, '../../prisma/migrations');
const LOCK_FILE = 'migration_lock.toml';
const SCRIPT = 'migration.sql';

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

/**
 * Brings a database to the newest schema and gives the names of the migrations it applied. It is Prisma's own
 * `migrate deploy` (its engine, its `_prisma_migrations`), run from the npm package, so that nothing is downloaded.
 * The address must lead to Postgres itself: the engine's lock does not survive a pooler in transaction mode.
 */
export async function applyMigrations(databaseUrl: string): Promise<readonly string[]> {
  const { engine, close } = await openSchemaEngine(databaseUrl);
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(),
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  } finally {
    await close();
  }
}
