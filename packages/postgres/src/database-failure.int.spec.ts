import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from './database.js';
import { isDatabaseUnavailable, isInvalidDataError } from './database-failure.js';
import { openKeyReader } from './keys/open-key-reader.js';
import { TestDatabase } from './test-support/test-database.js';

const IGNORED = () => undefined;

/** How statements are sent: by Prisma, and by the driver itself. */
const WAYS = {
  prisma: ({ prisma }: Database, statement: string): Promise<unknown> => prisma.$executeRawUnsafe(statement),
  driver: ({ pool }: Database, statement: string): Promise<unknown> => pool.query(statement),
};

/** The error of a statement with these connection settings. */
async function failureBy(way: keyof typeof WAYS, databaseUrl: string, statement = 'SELECT 1'): Promise<unknown> {
  const database = openDatabase({ databaseUrl, poolSize: 1, applicationName: 'test', onError: IGNORED });
  try {
    await WAYS[way](database, statement);
    return 'it did not fail';
  } catch (error) {
    return error;
  } finally {
    await database.close();
  }
}

/** The database URL with session settings. */
function withOptions(url: string, options: string): string {
  const changed = new URL(url);
  changed.searchParams.set('options', options);
  return changed.href;
}

describe.each(['prisma', 'driver'] as const)('isDatabaseUnavailable of an error of %s', (way) => {
  const failureOf = (url: string, statement?: string): Promise<unknown> => failureBy(way, url, statement);
  let test: TestDatabase;

  beforeAll(async () => {
    test = await TestDatabase.open(1);
  });

  afterAll(() => test.close());

  const ENTRY = `INSERT INTO account (id, email) VALUES ('acct_read_only', 'read-only@example.com')`;

  it('is true if the connection is refused, and the key reader then rejects with a public message', async () => {
    const refusedUrl = 'postgresql://user@127.0.0.1:1/nothing';
    expect(isDatabaseUnavailable(await failureOf(refusedUrl))).toBe(true);
    const keys = openKeyReader({ databaseUrl: refusedUrl, poolSize: 1, applicationName: 'test', onError: IGNORED });
    await expect(keys.findKeyBySha256('a')).rejects.toMatchObject({ code: 'service_unavailable' });
    await keys.close();
  });

  it('is true if the server accepts the connection and does not respond', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sockets: { destroy(): void }[] = [];
    server.on('connection', (socket) => sockets.push(socket.on('error', IGNORED)));
    expect(isDatabaseUnavailable(await failureOf(`postgresql://user@127.0.0.1:${port}/nothing`))).toBe(true);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('is true if the database is read-only or shuts down', async () => {
    const readOnly = withOptions(test.url, '-c default_transaction_read_only=on');
    expect(isDatabaseUnavailable(await failureOf(readOnly, ENTRY))).toBe(true);
    expect(isDatabaseUnavailable(await failureOf(test.url, 'SELECT pg_terminate_backend(pg_backend_pid())'))).toBe(
      true,
    );
  });

  it('is false if the database refuses the data', async () => {
    const refused = await failureOf(test.url, 'SELECT 1 / 0');
    expect([isDatabaseUnavailable(refused), isInvalidDataError(refused)]).toEqual([false, true]);
    expect(isDatabaseUnavailable(await failureOf(test.url, 'SELECT * FROM nothing'))).toBe(false);
    expect(isDatabaseUnavailable(new Error('a bug'))).toBe(false);
    expect(isDatabaseUnavailable('a word')).toBe(false);
  });
});
