import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { TestDatabase } from '../test-support/test-database.js';
import { applyMigrations } from './apply-migrations.js';

/** Minutes of work, without a row to send. */
const LONG = `SELECT count(*) /* abandoned */ FROM generate_series(1, 100000000000)`;

describe('a migrated database', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await TestDatabase.openEmpty();
    await applyMigrations(test.url);
  });

  afterEach(() => test.close());

  const running = async (): Promise<number> => {
    const rows = await test.database.prisma.$queryRaw<{ pid: number }[]>`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT count(*) /* abandoned */%'`;
    return rows.length;
  };

  const until = async (count: number): Promise<void> => {
    while ((await running()) !== count) await sleep(50);
  };

  it('ends the statement of a service that has given up', async () => {
    const client = new Client({ connectionString: test.url, query_timeout: 500 });
    client.on('error', () => undefined);
    await client.connect();
    const given = client.query(LONG).catch((error: Error) => error.message);
    await until(1);
    expect(await given).toBe('Query read timeout');
    await client.end();
    await until(0);
  });
});
