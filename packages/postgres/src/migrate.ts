import { loadConfig } from '@gateway/config';
import { z } from 'zod';
import { UnsupportedDatabaseError } from './migrate/adopt-database.js';
import { applyMigrations, type MigrationReport } from './migrate/apply-migrations.js';

const variables = z.object({ DATABASE_URL: z.string(), SERVICES_ROLE: z.string().min(1).optional() });
const { DATABASE_URL: databaseUrl, SERVICES_ROLE: role } = loadConfig('migrate', variables);

function describeReport({ migrations, functions }: MigrationReport): string {
  const changes = [
    ...migrations.map((name) => `migration ${name}`),
    ...functions.applied.map((name) => `function ${name}`),
    ...functions.dropped.map((name) => `dropped function ${name}`),
  ];
  return changes.length === 0 ? 'The database is up to date.' : `Applied ${changes.join(', ')}.`;
}

try {
  process.stdout.write(`${describeReport(await applyMigrations(databaseUrl, role))}\n`);
  if (role !== undefined) process.stdout.write(`Granted the role ${role} what the services need.\n`);
} catch (error) {
  if (!(error instanceof UnsupportedDatabaseError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
