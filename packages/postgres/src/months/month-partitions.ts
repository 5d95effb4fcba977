import type { Database } from '../database.js';

/** Makes the partitions of this month and the next `ahead` months. Returns the names of those that were missing. */
export async function makeMonthPartitions({ prisma }: Database, ahead: number): Promise<readonly string[]> {
  const made = await prisma.$queryRaw<{ name: string }[]>`
    SELECT make_month_partitions((now() AT TIME ZONE 'UTC')::date,
      (date_trunc('month', now() AT TIME ZONE 'UTC') + ${ahead}::int * interval '1 month')::date) AS name`;
  return made.map(({ name }) => name);
}

/** Counts the rows of all months for the planner, if no copy has in the last day. */
export async function analyzeMonths({ prisma }: Database): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ done: boolean }[]>`SELECT analyze_months() AS done`;
  return row?.done === true;
}

export interface MonthState {
  /** When the last month with a partition ends, for the table whose months end first. */
  readonly endsAt: Date;
  /** Rows without a partition of their month, in all tables; it stops counting at a thousand each. */
  readonly strays: number;
}

/** Reads the catalogue of PostgreSQL, and the default partitions, which are empty. */
export async function readMonthState({ prisma }: Database): Promise<MonthState> {
  const [row] = await prisma.$queryRaw<{ ends_at: Date | null; strays: bigint }[]>`
    SELECT (SELECT min(ends_at) FROM (
        SELECT max(partition_end(relname)) AS ends_at FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
          WHERE inhparent IN ('settlement'::regclass, 'ledger_transaction'::regclass, 'ledger_entry'::regclass)
            AND relname ~ '_y[0-9]{4}m[0-9]{2}$' GROUP BY inhparent HAVING count(*) > 0) AS by_table) AS ends_at,
      (SELECT count(*) FROM (SELECT 1 FROM settlement_other LIMIT 1000) AS one)
        + (SELECT count(*) FROM (SELECT 1 FROM ledger_transaction_other LIMIT 1000) AS one) AS strays`;
  return { endsAt: row?.ends_at ?? new Date(0), strays: Number(row?.strays ?? 0) };
}
