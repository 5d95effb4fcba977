import { Pool } from 'pg';
import type { PrismaClient } from './generated/client.js';
import { lazyPrisma } from './lazy-prisma.js';

export interface DatabaseOptions {
  readonly databaseUrl: string;
  /** Connections of this process. Keep it small: many processes share one PostgreSQL, and all statements are fast. */
  readonly poolSize: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** The longest time of one statement. Default: 15 seconds. */
  readonly queryTimeoutMs?: number;
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onError: (error: Error) => void;
}

/** One pool of connections. No transaction spans round trips, so a pooler in transaction mode may stand in between. */
export interface Database {
  /** Statements in SQL are sent by PostgreSQL's driver. The first call of a model loads Prisma itself. */
  readonly prisma: PrismaClient;
  /** The connections of `prisma`, which return rows as the driver reads them. */
  readonly pool: Pick<Pool, 'query'>;
  /** Rejects if PostgreSQL does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;
/** A new connection costs both sides milliseconds, and an idle one memory: rounds of 15 seconds keep theirs. */
const IDLE_TIMEOUT_MS = 25_000;

/** Connects at the first statement, so that a service can start before its database. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without a listener, a lost connection would end the process.
  pool.on('error', options.onError);
  let loaded: Promise<PrismaClient> | undefined;
  const load = () => {
    loaded ??= loadPrisma(pool, options.onError).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  return {
    prisma: lazyPrisma(pool, load),
    pool,
    async ping() {
      await pool.query('SELECT 1');
    },
    async close() {
      await (await loaded?.catch(() => undefined))?.$disconnect();
      if (!pool.ending) await pool.end();
    },
  };
}

async function loadPrisma(pool: Pool, onConnectionError: (error: Error) => void): Promise<PrismaClient> {
  const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
    import('@prisma/adapter-pg'),
    import('./generated/client.js'),
  ]);
  return new PrismaClient({ adapter: new PrismaPg(pool, { onConnectionError }) });
}
