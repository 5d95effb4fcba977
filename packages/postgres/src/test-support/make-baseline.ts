import { readFileSync } from 'node:fs';
import { BASELINE } from '../migrate/adopt-database.js';
import { withMigrationLock } from '../migrate/migration-lock.js';
import type { TestDatabase } from './test-database.js';

/** Makes an empty database one of the release of the baseline. The functions of its triggers have no bodies yet. */
export async function makeBaseline(test: TestDatabase): Promise<void> {
  const run = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);
  const script = new URL(`../../prisma/migrations/${BASELINE}/migration.sql`, import.meta.url);
  await withMigrationLock(test.url, (session) => session.query(readFileSync(script, 'utf8')));
  await run(`CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL,
    finished_at timestamptz, migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
  await run(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    VALUES ('baseline', 'x', '${BASELINE}', now(), 1)`);
}
