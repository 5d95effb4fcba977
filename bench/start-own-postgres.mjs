import { join } from 'node:path';
import { reserveRandomPort } from '../infra/local/ports.mjs';
import { startPostgres } from '../infra/local/postgres.mjs';
import { step } from '../infra/local/print.mjs';

/** A PostgreSQL of the measurement's own, which syncs to disk as one in production does; it ends in `onStop`. */
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
