import { applyMigrations } from './migrate/apply-migrations.js';

const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined || databaseUrl === '') {
  process.stderr.write('DATABASE_URL is not set\n');
  process.exit(1);
}
const applied = await applyMigrations(databaseUrl);
process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied ${applied.join(', ')}\n`);
