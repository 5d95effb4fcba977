import type { Database } from '../database.js';

interface Touched {
  /** Rows that a scan read or an index fetched. */
  readonly rows: number;
  /** Heap-only (HOT) updates, which write to no index. */
  readonly changesInPage: number;
}

/** Counts the rows of a table and its partitions that the statements of `run` touch. The count does not depend on the speed of the machine. */
export const countTouchedRows = (
  { prisma, ...database }: Database,
  table: string,
  run: (database: Database) => Promise<unknown>,
): Promise<Touched> =>
  prisma.$transaction(async (transaction) => {
    // The counts of this transaction, which PostgreSQL has not published yet.
    const count = async (): Promise<Touched> => {
      const [counts] = await transaction.$queryRaw<Touched[]>`
        SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows, sum(n_tup_hot_upd)::int AS "changesInPage"
        FROM pg_stat_xact_user_tables
        WHERE relid = to_regclass(${table}) OR relid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass(${table}))
        HAVING count(*) > 0`;
      if (counts === undefined) throw new Error(`there is no table ${table}`);
      return counts;
    };
    const before = await count();
    await run({ ...database, prisma: within(transaction as Database['prisma']) });
    const after = await count();
    return { rows: after.rows - before.rows, changesInPage: after.changesInPage - before.changesInPage };
  });

/** A transaction within it is a part of it: its statements run in order. */
const within = (transaction: Database['prisma']): Database['prisma'] =>
  new Proxy(transaction, {
    get: (own, name) => (name === '$transaction' ? inOrder : Reflect.get(own, name)),
  });

async function inOrder(statements: readonly PromiseLike<unknown>[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const statement of statements) results.push(await statement);
  return results;
}
