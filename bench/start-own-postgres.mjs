import { join } from 'node:path';
import { reserveRandomPort } from '../infra/local/ports.mjs';
import { startPostgres } from '../infra/local/postgres.mjs';
import { step } from '../infra/local/print.mjs';

/** The measurement's own PostgreSQL, which syncs to disk as in production; `onStop` stops it. */
export async function startOwnPostgres({ folder, record, secrets, onUnexpectedExit, onStop }) {
  const postgres = await step('PostgreSQL', async () =>
    startPostgres({
      home: join(folder, 'postgres'),
      port: await reserveRandomPort(),
      password: secrets.postgresPassword,
      logFile: join(folder, 'postgres.log'),
      record,
      onUnexpectedExit,
    }),
  );
  onStop(() => postgres.process.stop());
  return postgres;
}
