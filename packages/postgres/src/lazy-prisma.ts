import type { Pool, PoolClient, QueryResult } from 'pg';
import { types } from 'pg';
import { isReplyLost } from './database-failure.js';
import type { Prisma, PrismaClient } from './generated/client.js';
import { Sql } from './sql.js';

type Connection = Pick<PoolClient, 'query'>;
type Transaction = Prisma.TransactionClient;

/** How Prisma reads these types: whole numbers as `bigint`. All others are the driver's. */
const TEXT_PARSERS = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, BigInt],
  [types.builtins.NUMERIC, (text) => text],
  [types.builtins.DATE, (text) => new Date(text)],
]);
const PARSERS = {
  getTypeParser: ((oid: number, format: 'text' | 'binary' = 'text') =>
    (format === 'text' && TEXT_PARSERS.get(oid)) || types.getTypeParser(oid, format)) as typeof types.getTypeParser,
};

/** What a statement runs on: the pool, or a transaction of Prisma. */
interface Engine {
  raw(statement: RawStatement): Promise<unknown>;
  call(work: (client: Transaction) => Promise<unknown>): Promise<unknown>;
}

/** Runs once, when it is awaited first: until then a transaction may take it. */
abstract class LazyStatement implements Prisma.PrismaPromise<unknown> {
  readonly [Symbol.toStringTag] = 'PrismaPromise';
  #result: Promise<unknown> | undefined;

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited like Prisma's.
  readonly then: Promise<unknown>['then'] = (...handlers) => this.#run().then(...handlers);
  readonly catch: Promise<unknown>['catch'] = (...handlers) => this.#run().catch(...handlers);
  readonly finally: Promise<unknown>['finally'] = (...handlers) => this.#run().finally(...handlers);

  /** The same statement of Prisma. */
  abstract through(client: Transaction): Prisma.PrismaPromise<unknown>;
  protected abstract start(): Promise<unknown>;

  #run(): Promise<unknown> {
    this.#result ??= this.start();
    return this.#result;
  }
}

class RawStatement extends LazyStatement {
  constructor(
    private readonly engine: Engine,
    private readonly text: string,
    private readonly values: unknown[],
    private readonly returns: 'rows' | 'count',
  ) {
    super();
  }

  async on(connection: Connection): Promise<unknown> {
    const result: QueryResult = await connection.query({ text: this.text, values: this.values, types: PARSERS });
    return this.returns === 'rows' ? result.rows : (result.rowCount ?? 0);
  }

  through(client: Transaction): Prisma.PrismaPromise<unknown> {
    return this.returns === 'rows'
      ? client.$queryRawUnsafe(this.text, ...this.values)
      : client.$executeRawUnsafe(this.text, ...this.values);
  }

  protected start(): Promise<unknown> {
    return this.engine.raw(this);
  }
}

class ModelCall extends LazyStatement {
  constructor(
    private readonly engine: Engine,
    readonly through: (client: Transaction) => Prisma.PrismaPromise<unknown>,
  ) {
    super();
  }

  protected start(): Promise<unknown> {
    return this.engine.call(this.through);
  }
}

const isRaw = (statement: unknown): statement is RawStatement => statement instanceof RawStatement;

/** Commits all statements together, on one connection. */
async function commitTogether(pool: Pool, statements: readonly RawStatement[]): Promise<unknown[]> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  // Without a listener, a lost connection would end the process. The statement fails too.
  const onError = (error: Error) => {
    broken = error;
  };
  connection.on('error', onError);
  try {
    await connection.query('BEGIN');
    const results: unknown[] = [];
    for (const statement of statements) results.push(await statement.on(connection));
    await connection.query('COMMIT');
    return results;
  } catch (error) {
    // PostgreSQL rolls back what its client has left, and a silent one would not reply to this either.
    if (isReplyLost(error)) broken ??= error as Error;
    else await connection.query('ROLLBACK').catch(onError);
    throw error;
  } finally {
    connection.off('error', onError);
    connection.release(broken);
  }
}

/** The methods for statements in SQL. */
function rawMethods(engine: Engine) {
  const statement = (query: TemplateStringsArray | Sql, values: unknown[], returns: 'rows' | 'count') => {
    const whole = query instanceof Sql ? query : new Sql(query, values);
    return new RawStatement(engine, whole.text, whole.values, returns);
  };
  return {
    $queryRaw: (query: TemplateStringsArray | Sql, ...values: unknown[]) => statement(query, values, 'rows'),
    $executeRaw: (query: TemplateStringsArray | Sql, ...values: unknown[]) => statement(query, values, 'count'),
    $queryRawUnsafe: (text: string, ...values: unknown[]) => new RawStatement(engine, text, values, 'rows'),
    $executeRawUnsafe: (text: string, ...values: unknown[]) => new RawStatement(engine, text, values, 'count'),
  };
}

/** `prisma.<model>.<method>(…)`, which a client of Prisma runs. */
const modelOf = (engine: Engine, model: string) =>
  new Proxy(
    {},
    {
      get:
        (_, method) =>
        (...given: unknown[]) =>
          new ModelCall(engine, (client) => Reflect.get(client, model)[method](...given)),
    },
  );

/** Answers to the names of Prisma's client. */
const clientOf = (engine: Engine, methods: object): PrismaClient =>
  new Proxy(methods, {
    get(own, name) {
      if (typeof name === 'symbol' || name in own) return Reflect.get(own, name);
      // A client is no promise, also for those who return it from an async function.
      return name === 'then' ? undefined : modelOf(engine, name);
    },
  }) as PrismaClient;

function inTransaction(client: Transaction): Transaction {
  const engine: Engine = {
    raw: async (statement) => statement.through(client),
    call: async (work) => work(client),
  };
  return clientOf(engine, rawMethods(engine));
}

/**
 * Prisma's interface, of which the driver runs what is SQL already. Prisma itself, which takes 36 MB, is loaded by the
 * first call of a model.
 */
export function lazyPrisma(pool: Pool, load: () => Promise<PrismaClient>): PrismaClient {
  const engine: Engine = {
    raw: (statement) => statement.on(pool),
    call: async (work) => work(await load()),
  };
  type Work = (client: Transaction) => Promise<unknown>;
  const $transaction = async (work: readonly LazyStatement[] | Work): Promise<unknown> => {
    if (typeof work !== 'function' && work.every(isRaw)) return commitTogether(pool, work);
    const client = await load();
    return typeof work === 'function'
      ? client.$transaction((transaction) => work(inTransaction(transaction)))
      : client.$transaction(work.map((statement) => statement.through(client)));
  };
  return clientOf(engine, { ...rawMethods(engine), $transaction });
}
