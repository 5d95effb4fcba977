import { existsSync, readFileSync } from 'node:fs';
import { builtFile } from './build.mjs';
import { PlainError } from './print.mjs';
import { runOrFail } from './run-command.mjs';
import { writePrivateJson } from './secrets.mjs';

const baseEnv = () => ({ PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'development', LOG_LEVEL: 'warn' });

/**
 * Brings the database to the newest schema; a database that has it already is left as it is. `servicesRole` is then granted what
 * the services need, and nothing else.
 */
export async function migrate({ node, databaseUrl, servicesRole }) {
  const env = {
    ...baseEnv(),
    DATABASE_URL: databaseUrl,
    ...(servicesRole === undefined ? {} : { SERVICES_ROLE: servicesRole }),
  };
  await runOrFail(node, [builtFile('packages/postgres/dist/migrate.js')], { env });
}

const knownDemo = (file) =>
  file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/**
 * Seeds the demo account and gives back `{ apiKey, … }`, what the seed prints as its last line. The database has only
 * the hash of a key, so the key itself is kept in `file` and handed in again, to be confirmed or made anew.
 */
export async function seed({ node, system, file }) {
  const known = knownDemo(file);
  const env = {
    ...baseEnv(),
    DATABASE_URL: system.databaseUrl,
    REDIS_URL: system.redisUrl,
    INTERNAL_TOKEN: system.secrets.internalToken,
    ADMIN_TOKEN: system.secrets.adminToken,
    ...(known === undefined ? {} : { DEMO_API_KEY: known.apiKey }),
  };
  const output = await runOrFail(node, [builtFile('apps/billing/dist/seed.js')], { env });
  const lastLine = output.trim().split('\n').at(-1);
  try {
    const demo = JSON.parse(lastLine);
    if (file !== undefined) writePrivateJson(file, demo);
    return demo;
  } catch {
    throw new PlainError(`The seed's last line should be JSON with an apiKey, it is: ${lastLine}`);
  }
}
