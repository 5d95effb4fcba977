import { loadConfig } from '@gateway/config';
import { z } from 'zod';
import { applyMigrations } from './migrate/apply-migrations.js';
import { grantServiceRole } from './migrate/grant-service-role.js';

const variables = z.object({ DATABASE_URL: z.string(), SERVICES_ROLE: z.string().min(1).optional() });
const { DATABASE_URL: databaseUrl, SERVICES_ROLE: role } = loadConfig('migrate', variables);
const applied = await applyMigrations(databaseUrl);
process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}\n`);
if (role !== undefined) {
  await grantServiceRole(databaseUrl, role);
  process.stdout.write(`The role ${role} may do what the services need.\n`);
}
