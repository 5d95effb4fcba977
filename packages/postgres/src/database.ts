import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient } from './generated/client.js';

export interface DatabaseOptions {
  readonly databaseUrl: string;
  /** Connections of this process. Keep it small: many processes share one PostgreSQL, and all statements are fast. */
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onError: (error: Error) => void;
}

/** One pool of connections. No transaction spans round trips, so a pooler in transaction mode may stand in between. */
export interface Database {
  readonly prisma: PrismaClient;
  /**
   * The connections of `prisma`, for statements with parameters of many kilobytes: Prisma takes longer for those than
   * PostgreSQL's driver, and keeps the last hundred in memory. Rejects with the driver's errors.
   */
  readonly pool: Pick<Pool, 'query'>;
  /** Rejects if PostgreSQL does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;

/** Connects at the first statement, so that a service can start before its database. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  });
  // Prisma listens from its first statement until it closes; without a listener, a lost connection would end the process.
  pool.on('error', options.onError);
  const adapter = new PrismaPg(pool, { onConnectionError: options.onError });
  const prisma = new PrismaClient({ adapter });
  return {
    prisma,
    pool,
    async ping() {
      await prisma.$queryRaw`SELECT 1`;
    },
    async close() {
      await prisma.$disconnect();
      if (!pool.ending) await pool.end();
    },
  };
}
