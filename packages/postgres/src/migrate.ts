import { loadConfig } from '@gateway/config';
import { z } from 'zod';
import { applyMigrations } from './migrate/apply-migrations.js';

const { DATABASE_URL: databaseUrl } = loadConfig('migrate', z.object({ DATABASE_URL: z.string() }));
const applied = await applyMigrations(databaseUrl);
process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}\n`);
