import { loadConfig } from '@gateway/config';
import { z } from 'zod';
import { applyMigrations } from './migrate/apply-migrations.js';

const variables = z.object({ DATABASE_URL: z.string(), SERVICES_ROLE: z.string().min(1).optional() });
const { DATABASE_URL: databaseUrl, SERVICES_ROLE: role } = loadConfig('migrate', variables);

const { migrations, functions } = await applyMigrations(databaseUrl, role);
const changes = [
  ...migrations.map((name) => `migration ${name}`),
  ...functions.applied.map((name) => `function ${name}`),
  ...functions.dropped.map((name) => `dropped function ${name}`),
];
process.stdout.write(changes.length === 0 ? 'The database is up to date.\n' : `Applied ${changes.join(', ')}.\n`);
if (role !== undefined) process.stdout.write(`Granted the role ${role} what the services need.\n`);
