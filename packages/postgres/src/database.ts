import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

export interface DatabaseOptions {
  readonly databaseUrl: string;
  /** Connections of this process. Small: many processes share one Postgres, and no statement here is slow. */
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Hears of idle connections that broke; the pool replaces them by itself. */
  readonly onError: (error: Error) => void;
}

/** One pool of connections. Everything it is asked is one statement, so a pooler in transaction mode may stand between. */
export interface Database {
  readonly prisma: PrismaClient;
  /** Rejects if Postgres does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;

/** Connects with the first statement, so that a service can start before its database. */
export function openDatabase(options: DatabaseOptions): Database {
  const adapter = new PrismaPg(
    {
      connectionString: options.databaseUrl,
      max: options.poolSize,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    },
    { onPoolError: options.onError, onConnectionError: options.onError },
  );
  const prisma = new PrismaClient({ adapter });
  return {
    prisma,
    async ping() {
      await prisma.$queryRaw`SELECT 1`;
    },
    close: () => prisma.$disconnect(),
  };
}
