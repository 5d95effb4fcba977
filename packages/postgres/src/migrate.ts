import { loadConfig } from '@gateway/config';
import { z } from 'zod';
import { UnsupportedDatabaseError } from './migrate/adopt-database.js';
import { applyMigrations, type MigrationReport } from './migrate/apply-migrations.js';

const role = z.string().min(1).optional();
const variables = z.object({ DATABASE_URL: z.string(), SERVICES_ROLE: role, ACCOUNTS_ROLE: role });
const { DATABASE_URL: databaseUrl, ...given } = loadConfig('migrate', variables);
const roles = { services: given.SERVICES_ROLE, accounts: given.ACCOUNTS_ROLE };

function describeReport({ migrations, functions }: MigrationReport): string {
  const changes = [
    ...migrations.map((name) => `migration ${name}`),
    ...functions.applied.map((name) => `function ${name}`),
    ...functions.dropped.map((name) => `dropped function ${name}`),
  ];
  return changes.length === 0 ? 'The database is up to date.' : `Applied ${changes.join(', ')}.`;
}

try {
  process.stdout.write(`${describeReport(await applyMigrations(databaseUrl, roles))}\n`);
  for (const [kind, name] of Object.entries(roles)) {
    if (name !== undefined) process.stdout.write(`Granted the role ${name} what ${kind} need.\n`);
  }
} catch (error) {
  if (!(error instanceof UnsupportedDatabaseError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
