import type { Pool, PoolClient } from 'pg';
import { type Database, openDatabase } from '../database.js';

interface Touched {
  /** Rows that a scan read or an index fetched. */
  readonly rows: number;
  /** Heap-only (HOT) updates, which write to no index. */
  readonly changesInPage: number;
}

/** Counts of the open transaction, which PostgreSQL has not published yet, of a table and its partitions. */
const COUNTS = `
  SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows, sum(n_tup_hot_upd)::int AS "changesInPage"
  FROM pg_stat_xact_user_tables
  WHERE relid = to_regclass($1) OR relid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass($1))
  HAVING count(*) > 0`;

/**
 * Counts the rows of a table and its partitions that the statements of `run` touch, of Prisma and of the driver. The count
 * does not depend on the speed of the machine. `url`: address of the database.
 */
export async function countTouchedRows(
  url: string,
  table: string,
  run: (database: Database) => Promise<unknown>,
): Promise<Touched> {
  const database = openDatabase({ databaseUrl: url, poolSize: 1, applicationName: 'gateway-test', onError: fail });
  (database.pool as Pool).on('connect', keepTransaction);
  const count = async (): Promise<Touched> => {
    const [counts] = (await database.pool.query<Touched>(COUNTS, [table])).rows;
    if (counts === undefined) throw new Error(`there is no table ${table}`);
    return counts;
  };
  try {
    await database.pool.query(OPEN);
    const before = await count();
    await run(database);
    const after = await count();
    await database.pool.query(COMMIT);
    return { rows: after.rows - before.rows, changesInPage: after.changesInPage - before.changesInPage };
  } finally {
    await database.close();
  }
}

const fail = (error: Error) => {
  throw error;
};

// Other words than those of Prisma and of the package.
const OPEN = 'START TRANSACTION';
const COMMIT = 'COMMIT WORK';

const textOf = (query: unknown): unknown =>
  typeof query === 'object' && query !== null ? Reflect.get(query, 'text') : query;

/** A transaction of `run` is a part of the one that counts: its statements run in order. */
function keepTransaction(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  Object.assign(client, {
    query: (given: unknown, ...rest: unknown[]) => {
      const text = textOf(given);
      return text === 'BEGIN' || text === 'COMMIT' ? query('SELECT 1') : query(given, ...rest);
    },
  });
}
