import { existsSync, readFileSync } from 'node:fs';
import { builtFile } from './build.mjs';
import { PlainError } from './print.mjs';
import { runOrFail } from './run-command.mjs';
import { writePrivateJson } from './secrets.mjs';

const baseEnv = () => ({ PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'development', LOG_LEVEL: 'warn' });

/**
 * Runs the same command as the Kubernetes job: migrations, SQL functions and the rights of `servicesRole`.
 * It changes nothing in a database that is up to date.
 */
export async function migrate({ node, databaseUrl, servicesRole }) {
  const env = {
    ...baseEnv(),
    DATABASE_URL: databaseUrl,
    ...(servicesRole === undefined ? {} : { SERVICES_ROLE: servicesRole }),
  };
  await runOrFail(node, [builtFile('packages/postgres/dist/migrate.js')], { env });
}

const readStoredDemo = (file) =>
  file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/**
 * Seeds the demo account and returns `{ apiKey, … }`, the last line of the seed's output. The database stores only the
 * hash of the key, so `file` stores the key. The seed reuses a stored key or creates a new one.
 */
export async function seed({ node, system, file }) {
  const stored = readStoredDemo(file);
  const env = {
    ...baseEnv(),
    DATABASE_URL: system.databaseUrl,
    REDIS_URL: system.redisUrl,
    INTERNAL_TOKEN: system.secrets.internalToken,
    ADMIN_TOKEN: system.secrets.adminToken,
    ...(stored === undefined ? {} : { DEMO_API_KEY: stored.apiKey }),
  };
  const output = await runOrFail(node, [builtFile('apps/billing/dist/seed.js')], { env });
  const lastLine = output.trim().split('\n').at(-1);
  try {
    const demo = JSON.parse(lastLine);
    if (file !== undefined) writePrivateJson(file, demo);
    return demo;
  } catch {
    throw new PlainError(`The seed must end with a line of JSON that has an apiKey. Its last line was: ${lastLine}`);
  }
}
