import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { type AccountId, hashApiKey, type KeyId, type KeyRecord } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyLookup } from '../../authenticate/key-lookup.service.js';
import { keyOf } from '../../test-support/task-reader-in-memory.js';
import { ResponsesSockets } from './responses-sockets.service.js';

const MAX_PER_KEY = 200;
const HANDSHAKE = {
  method: 'GET',
  url: '/v1/responses',
  headers: {
    authorization: 'Bearer key',
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
  },
  socket: {},
} as unknown as IncomingMessage;

let server: ReturnType<typeof createServer>;
let clients: Duplex[];
let find: (sha256?: string) => KeyRecord | Promise<KeyRecord>;

beforeEach(() => {
  clients = [];
  // The key may be used, and the method is wrong.
  server = createServer((_request, response) => response.writeHead(405).end());
  find = () => keyOf();
  const keys = { find: (sha256: string) => find(sha256) } as unknown as KeyLookup;
  new ResponsesSockets(keys, {} as never, {} as never, {} as never).listen(server);
});

afterEach(() => {
  for (const client of clients) client.destroy();
});

/** The HTTP response that the client gets. Undefined: the socket was closed instead. */
async function respond(
  whenChecking: (client: Duplex, checked: IncomingMessage) => void = () => {},
  request = HANDSHAKE,
): Promise<string | undefined> {
  const [client, served] = duplexPair();
  clients.push(client);
  server.once('request', (checked) => whenChecking(served, checked));
  const closed = once(served, 'close').then(() => undefined);
  const answered = once(client, 'data').then(([bytes]) => String(bytes));
  server.emit('upgrade', request, served, Buffer.alloc(0));
  return Promise.race([answered, closed]);
}

/** The status line of that response. */
const handshake = async (...given: Parameters<typeof respond>) => (await respond(...given))?.split('\r\n')[0];

it.each(['x-api-key', 'x-goog-api-key', 'api-key', 'x-portkey-api-key'])(
  'a socket may have its key in %s',
  async (header) => {
    const { authorization: _bearer, ...others } = HANDSHAKE.headers;
    const found: unknown[] = [];
    find = (sha256) => {
      found.push(sha256);
      return keyOf();
    };
    const request = { ...HANDSHAKE, headers: { ...others, [header]: 'key' } } as unknown as IncomingMessage;
    const answer = await handshake((_client, checked) => found.push(checked.headers[header]), request);
    expect(answer).toBe('HTTP/1.1 101 Switching Protocols');
    expect(found).toEqual(['key', hashApiKey('key')]);
  },
);

describe('a refused handshake', () => {
  it('has the status, the headers and the body of the refused check', async () => {
    const body = JSON.stringify({ error: { code: 'rate_limit_exceeded' } });
    server.removeAllListeners('request').on('request', (_request, response) => {
      const headers = { 'x-request-id': 'req_one', 'retry-after': '7', 'content-type': 'application/json' };
      response.writeHead(429, { ...headers, 'transfer-encoding': 'chunked' }).end(body);
    });
    const [head, ...rest] = (await respond())?.split('\r\n\r\n') ?? [];
    expect(head?.split('\r\n')).toEqual([
      'HTTP/1.1 429 Too Many Requests',
      'x-request-id: req_one',
      'retry-after: 7',
      'content-type: application/json',
      `content-length: ${body.length}`,
      'connection: close',
    ]);
    expect(rest).toEqual([body]);
  });

  it('says when to try again, with an id and in the form of the endpoint', async () => {
    find = () => Promise.reject(new Error('Redis and PostgreSQL are away'));
    const [head, body = ''] = (await respond())?.split('\r\n\r\n') ?? [];
    expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nx-request-id: req_.*\r\nretry-after: 5\r\n/s);
    expect(JSON.parse(body)).toEqual({
      error: {
        ...{ type: 'server_error', code: 'service_unavailable', param: null },
        message: 'The service is not available right now, try again shortly.',
      },
    });
  });
});

describe('sockets of one key', () => {
  it('are limited', async () => {
    for (let count = 0; count < MAX_PER_KEY; count += 1) {
      expect(await handshake()).toBe('HTTP/1.1 101 Switching Protocols');
    }
    expect(await handshake()).toBe('HTTP/1.1 429 Too Many Requests');
  });

  it('are limited if they are opened together, and so share a lookup of the key', async () => {
    const lookup = Promise.withResolvers<KeyRecord>();
    let waiting = 0;
    find = () => {
      waiting += 1;
      if (waiting > MAX_PER_KEY) lookup.resolve(keyOf());
      return lookup.promise;
    };
    const answers = await Promise.all(Array.from({ length: MAX_PER_KEY + 1 }, () => handshake()));
    expect(answers.filter((answer) => answer === 'HTTP/1.1 429 Too Many Requests')).toHaveLength(1);
  });

  it('are not counted if their client leaves while the key is checked', async () => {
    for (let count = 0; count < MAX_PER_KEY; count += 1) {
      expect(await handshake((served) => served.destroy())).toBeUndefined();
    }
    expect(await handshake()).toBe('HTTP/1.1 101 Switching Protocols');
  });
});

describe('sockets of many accounts', () => {
  it('leave places for accounts that have few', async () => {
    const open = async (account: number, count: number): Promise<readonly (string | undefined)[]> => {
      find = () => ({ ...keyOf(), keyId: `key_${account}` as KeyId, accountId: `acct_${account}` as AccountId });
      const answers: (string | undefined)[] = [];
      for (let opened = 0; opened < count; opened += 1) answers.push(await handshake());
      return answers;
    };
    for (let account = 1; account <= 3_700 / 100; account += 1) await open(account, 100);
    expect(await open(1, 1)).toEqual(['HTTP/1.1 503 Service Unavailable']);
    expect(new Set(await open(100, 10))).toEqual(new Set(['HTTP/1.1 101 Switching Protocols']));
    expect(await open(100, 1)).toEqual(['HTTP/1.1 503 Service Unavailable']);
  });
});
