import { existsSync, readFileSync } from 'node:fs';
import { builtFile } from './build.mjs';
import { ensureDatabase, siblingDatabaseUrl } from './database.mjs';
import { PlainError } from './print.mjs';
import { runOrFail } from './run-command.mjs';
import { writePrivateJson } from './secrets.mjs';

const baseEnv = () => ({ PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'development', LOG_LEVEL: 'warn' });

/**
 * Runs the same command as the Kubernetes job: migrations, SQL functions and the rights of the services' roles.
 * It changes nothing in a database that is up to date.
 */
export async function migrate({ node, databaseUrl, roles }) {
  const env = {
    ...baseEnv(),
    DATABASE_URL: databaseUrl,
    ...(roles !== undefined && { SERVICES_ROLE: roles.services, ACCOUNTS_ROLE: roles.accounts }),
  };
  await runOrFail(node, [builtFile('packages/postgres/dist/migrate.js')], { env });
}

/** Migrates a database that tests copy, because a copy takes a tenth of the time. Returns its name. */
export async function makeTemplate({ node, serverUrl }) {
  const name = 'migrated';
  const databaseUrl = siblingDatabaseUrl(serverUrl, name);
  await ensureDatabase(databaseUrl);
  await migrate({ node, databaseUrl });
  return name;
}

const readStoredDemo = (file) =>
  file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/**
 * Seeds the demo account with its credit, and returns `{ accountId, apiKey, email }`, the last line of the seed's output. The database stores only the
 * hash of the key, so `file` stores the key. The seed reuses a stored key or creates a new one.
 */
export async function seed({ node, system, file }) {
  const stored = readStoredDemo(file);
  const env = {
    ...baseEnv(),
    DATABASE_URL: system.databaseUrl,
    DEMO_PASSWORD: system.secrets.demoPassword,
    ...(stored === undefined ? {} : { DEMO_API_KEY: stored.apiKey }),
  };
  const output = await runOrFail(node, [builtFile('apps/accounts/dist/seed.js')], { env });
  const lastLine = output.trim().split('\n').at(-1);
  const demo = parseDemo(lastLine);
  await runOrFail(node, [builtFile('apps/billing/dist/seed.js')], { env: { ...env, DEMO_ACCOUNT_ID: demo.accountId } });
  if (file !== undefined) writePrivateJson(file, demo);
  return demo;
}

function parseDemo(lastLine) {
  try {
    return JSON.parse(lastLine);
  } catch {
    throw new PlainError(`The seed must end with a line of JSON that has an apiKey. Its last line was: ${lastLine}`);
  }
}
