import type { Database } from '../database.js';

interface Touched {
  /** Read one after the other, or fetched because an index named them. */
  readonly rows: number;
  /** Changes of rows that stayed in their page, and wrote into no index. */
  readonly changesInPage: number;
}

/** What the statements of `run` did to a table, as PostgreSQL counts it: the same on a slow machine as on a fast one. */
export const touched = (
  { prisma, ...database }: Database,
  table: string,
  run: (database: Database) => Promise<unknown>,
): Promise<Touched> =>
  prisma.$transaction(async (transaction) => {
    // The connection's own counts, with what it did before and has not published yet.
    const count = async (): Promise<Touched> => {
      const [counts] = await transaction.$queryRaw<Touched[]>`
        SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows, n_tup_hot_upd::int AS "changesInPage"
        FROM pg_stat_xact_user_tables WHERE relname = ${table}`;
      if (counts === undefined) throw new Error(`there is no table ${table}`);
      return counts;
    };
    const before = await count();
    await run({ ...database, prisma: transaction as Database['prisma'] });
    const after = await count();
    return { rows: after.rows - before.rows, changesInPage: after.changesInPage - before.changesInPage };
  });
