import { loadConfig } from '@gateway/config';
import { parseUsd } from '@gateway/money';
import { createLogger } from '@gateway/observability';
import { openDatabase, postCredit } from '@gateway/postgres';
import { z } from 'zod';

/*
 * Gives the demo account its credit. `dist/seed.js` of `accounts` creates that account and names it here. The reference is
 * fixed, so a repeated start changes nothing.
 */

const seedConfig = z.object({ DATABASE_URL: z.string(), DEMO_ACCOUNT_ID: z.string() });

const { DATABASE_URL: databaseUrl, DEMO_ACCOUNT_ID: accountId } = loadConfig('seed', seedConfig);
const logger = createLogger({ service: 'seed', level: 'warn' });
const database = openDatabase({
  databaseUrl,
  poolSize: 1,
  applicationName: 'gateway-seed',
  onError: (error) => logger.warn({ problem: error.message }, 'postgres unavailable'),
});
const credited = await postCredit(database, {
  accountId,
  reference: 'demo-credit',
  kind: 'top_up',
  amountNanoUsd: parseUsd('10'),
  reason: 'Demo credit',
});
await database.close();
if (credited.outcome === 'unknown_account' || credited.outcome === 'conflict') {
  throw new Error(`the demo account ${accountId} was not credited: ${credited.outcome}`);
}
