import { loadConfig } from '@gateway/config';
import { z } from 'zod';
import { allowServices } from './migrate/allow-services.js';
import { applyMigrations } from './migrate/apply-migrations.js';

const variables = z.object({ DATABASE_URL: z.string(), SERVICES_ROLE: z.string().min(1).optional() });
const { DATABASE_URL: databaseUrl, SERVICES_ROLE: role } = loadConfig('migrate', variables);
const applied = await applyMigrations(databaseUrl);
process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}\n`);
if (role !== undefined) {
  await allowServices(databaseUrl, role);
  process.stdout.write(`The role ${role} may do what the services need.\n`);
}
