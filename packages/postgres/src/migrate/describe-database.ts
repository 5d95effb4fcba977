import type { Database } from '../database.js';

/** What an operator must know of PostgreSQL. */
export interface DatabaseDescription {
  readonly version: string;
  readonly startedAt: Date;
  readonly sizeBytes: bigint;
  readonly connections: number;
  readonly maxConnections: number;
  readonly latencyMs: number;
  /** In the order of their names, which begin with their day. */
  readonly migrations: readonly { readonly name: string; readonly finishedAt: Date }[];
}

type Row = Omit<DatabaseDescription, 'latencyMs' | 'migrations'>;

/** Rejects if PostgreSQL does not answer. */
export async function describeDatabase({ prisma }: Database): Promise<DatabaseDescription> {
  const askedAt = performance.now();
  const [row] = await prisma.$queryRaw<Row[]>`
    SELECT current_setting('server_version') AS version, pg_postmaster_start_time() AS "startedAt",
      pg_database_size(current_database()) AS "sizeBytes", current_setting('max_connections')::int AS "maxConnections",
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections`;
  if (row === undefined) throw new Error('description of the database: the query returned no row');
  const latencyMs = performance.now() - askedAt;
  const migrations = await prisma.$queryRaw<DatabaseDescription['migrations']>`
    SELECT migration_name AS name, finished_at AS "finishedAt" FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`;
  return { ...row, latencyMs, migrations };
}
