import { loadConfig } from '@gateway/config';
import { createLogger } from '@gateway/observability';
import { openDatabase } from '@gateway/postgres';
import { z } from 'zod';
import { seedDemo } from './seed-demo.js';

const seedConfig = z.object({
  DATABASE_URL: z.string(),
  DEMO_API_KEY: z.string().optional(),
  DEMO_PASSWORD: z.string().optional(),
});

const { DATABASE_URL: databaseUrl, DEMO_API_KEY: apiKey, DEMO_PASSWORD: password } = loadConfig('seed', seedConfig);
const logger = createLogger({ service: 'seed', level: 'warn' });
const database = openDatabase({
  databaseUrl,
  poolSize: 1,
  applicationName: 'gateway-seed',
  onError: (error) => logger.warn({ problem: error.message }, 'postgres unavailable'),
});
const demo = await seedDemo(database, { apiKey, password });
await database.close();
process.stdout.write(`${JSON.stringify(demo)}\n`);
