import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from './database.js';
import { isDatabaseUnavailable, isInvalidDataError } from './database-failure.js';
import { openKeyReader } from './keys/open-key-reader.js';
import { TestDatabase } from './test-support/test-database.js';

const IGNORED = () => undefined;

/** How it fails for somebody with these settings of the connection. */
async function failureOf(databaseUrl: string, statement = 'SELECT 1'): Promise<unknown> {
  const database = openDatabase({ databaseUrl, poolSize: 1, applicationName: 'test', onError: IGNORED });
  try {
    await database.prisma.$executeRawUnsafe(statement);
    return 'it did not fail';
  } catch (error) {
    return error;
  } finally {
    await database.close();
  }
}

/** The same address with settings of the session. */
function withOptions(url: string, options: string): string {
  const changed = new URL(url);
  changed.searchParams.set('options', options);
  return changed.href;
}

describe('a database that fails', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await TestDatabase.open(1);
  });

  afterAll(() => test.close());

  const ENTRY = `INSERT INTO account (id, email) VALUES ('acct_read_only', 'read-only@example.com')`;

  it('is away if nobody listens, and where keys are looked up that is said in words that a client may see', async () => {
    const nobody = 'postgresql://somebody@127.0.0.1:1/nothing';
    expect(isDatabaseUnavailable(await failureOf(nobody))).toBe(true);
    const keys = openKeyReader({ databaseUrl: nobody, poolSize: 1, applicationName: 'test', onError: IGNORED });
    await expect(keys.findKeyBySha256('a')).rejects.toMatchObject({ code: 'service_unavailable' });
    await keys.close();
  });

  it('is away if it takes the connection and is silent', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sockets: { destroy(): void }[] = [];
    server.on('connection', (socket) => sockets.push(socket.on('error', IGNORED)));
    expect(isDatabaseUnavailable(await failureOf(`postgresql://somebody@127.0.0.1:${port}/nothing`))).toBe(true);
    for (const socket of sockets) socket.destroy();
    server.close();
  }, 60_000);

  it('is away if it may only be read, or has been told to stop', async () => {
    const readOnly = withOptions(test.url, '-c default_transaction_read_only=on');
    expect(isDatabaseUnavailable(await failureOf(readOnly, ENTRY))).toBe(true);
    expect(isDatabaseUnavailable(await failureOf(test.url, 'SELECT pg_terminate_backend(pg_backend_pid())'))).toBe(
      true,
    );
  });

  it('is not away if it refuses what it was given', async () => {
    const refused = await failureOf(test.url, 'SELECT 1 / 0');
    expect([isDatabaseUnavailable(refused), isInvalidDataError(refused)]).toEqual([false, true]);
    expect(isDatabaseUnavailable(await failureOf(test.url, 'SELECT * FROM nothing'))).toBe(false);
    expect(isDatabaseUnavailable(new Error('a bug'))).toBe(false);
    expect(isDatabaseUnavailable('a word')).toBe(false);
  });
});
