import { PrismaPg } from '@prisma/adapter-pg';

/** One session of PostgreSQL, in which a transaction may span several queries. */
export interface Session {
  query<Row>(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
}

const LOCK_KEY = 7_236_110;

/**
 * Runs `work` while no other copy of the migrate command changes the same database; waits for that copy to end.
 * The lock belongs to the session: it ends with the process. A pooler in transaction mode would lose it.
 */
export async function withMigrationLock<Result>(
  databaseUrl: string,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const adapter = await new PrismaPg({ connectionString: databaseUrl, max: 1, keepAlive: true }).connect();
  try {
    const client = await adapter.underlyingDriver().connect();
    const session: Session = {
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const { rows } = await client.query(text, [...values]);
        return { rows: rows as Row[] };
      },
    };
    try {
      await session.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
      return await work(session);
    } finally {
      client.release(true);
    }
  } finally {
    await adapter.dispose();
  }
}

/** Everything that `work` does becomes visible at once, or not at all. */
export async function inTransaction(session: Session, work: () => Promise<void>): Promise<void> {
  await session.query('BEGIN');
  try {
    await work();
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK');
    throw error;
  }
}
