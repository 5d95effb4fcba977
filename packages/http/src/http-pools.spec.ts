import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type HttpFailure,
  HttpPools,
  type HttpPoolsOptions,
  type HttpResponse,
  INTERNAL_SERVICES,
  isHttpFailure,
  jsonRequest,
  type SendOptions,
} from './index.js';

const closers: (() => Promise<unknown> | unknown)[] = [];
const LONG: SendOptions = { headersTimeoutMs: 60_000, bodyTimeoutMs: 60_000 };

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (listener: RequestListener): Promise<string> => listen(createHttpServer(listener));

/** A server that writes raw bytes: `onRequest` gets the socket once a whole request head has arrived. */
const serveRaw = (onRequest: (socket: Socket) => void): Promise<string> =>
  listen(
    createTcpServer((socket) => {
      socket.on('data', (bytes) => {
        if (bytes.includes('\r\n\r\n')) onRequest(socket);
      });
    }),
  );

function openPools(options: HttpPoolsOptions = {}): HttpPools {
  const pools = new HttpPools(options);
  closers.push(() => pools.destroy());
  return pools;
}

const post = (pools: HttpPools, url: string, options: Partial<SendOptions> = {}): Promise<HttpResponse> =>
  pools.send({ method: 'POST', url, headers: { 'content-type': 'text/plain' }, body: 'paid' }, { ...LONG, ...options });

async function failureOf(promise: Promise<unknown>): Promise<HttpFailure> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isHttpFailure(error)) throw new Error('expected a HttpFailure', { cause: error });
  return error;
}

const HEAD_OF_TEN = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n';

describe('a response', () => {
  it('reports once that a request is sent, and never one that is not', async () => {
    let sent = 0;
    const onSent = () => {
      sent += 1;
    };
    const url = await serve((_request, response) => response.end('ok'));
    await (await post(openPools(), url, { onSent })).dump();
    expect(sent).toBe(1);
    await failureOf(post(openPools(), url, { onSent, signal: AbortSignal.abort() }));
    expect(sent).toBe(1);
  });

  it('has its status, its headers in lower case and its bytes', async () => {
    const url = await serve((request, response) => {
      response.writeHead(201, { 'X-One': '1', 'Set-Cookie': ['a=1', 'b=2'] });
      request.pipe(response);
    });
    const response = await post(openPools(), `${url}/path?query=1`);
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ 'x-one': '1', 'set-cookie': 'a=1, b=2' });
    expect((await response.bytes(100)).toString()).toBe('paid');
  });

  it('is read on only once a long one may begin, with the length that the server has named', async () => {
    const sent = Buffer.from(Array.from({ length: 4_000_000 }, (_, at) => at % 251));
    const url = await serve((_request, response) => response.end(sent));
    const [asked, allowed] = [Promise.withResolvers<number | undefined>(), Promise.withResolvers<void>()];
    const begin = (expectedBytes: number | undefined): Promise<void> => {
      asked.resolve(expectedBytes);
      return allowed.promise;
    };
    let isRead = false;
    const reading = (await post(openPools(), url)).bytes(5_000_000, { fromBytes: 1_000, begin });
    void reading.then(() => {
      isRead = true;
    });
    expect([await asked.promise, isRead]).toEqual([4_000_000, false]);
    allowed.resolve();
    expect((await reading).equals(sent)).toBe(true);
  });

  it('is left if a long one may not begin', async () => {
    const url = await serve((_request, response) => response.end('x'.repeat(2_000)));
    const response = await post(openPools(), url);
    const begin = (): Promise<void> => Promise.reject(new Error('no room'));
    await expect(response.bytes(5_000, { fromBytes: 1_000, begin })).rejects.toThrow('no room');
  });

  it('arrives chunk by chunk', async () => {
    let goOn = (): void => undefined;
    const url = await serve((_request, response) => {
      response.write('one');
      goOn = () => response.end('two');
    });
    const chunks: string[] = [];
    for await (const chunk of (await post(openPools(), url)).body) {
      chunks.push(chunk.toString());
      goOn();
    }
    expect(chunks).toEqual(['one', 'two']);
  });

  it('arrives whole if it is read more slowly than it is sent', async () => {
    const sent = Buffer.from(Array.from({ length: 4_000_000 }, (_, at) => at % 251));
    const url = await serve((_request, response) => response.end(sent));
    const chunks: Buffer[] = [];
    for await (const chunk of (await post(openPools(), url)).body) {
      chunks.push(chunk);
      await new Promise(setImmediate);
    }
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
  });

  it('with a redirect is returned unchanged', async () => {
    const paths: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const response = await post(openPools(), `${url}/here`);
    await response.dump();
    expect([response.status, response.headers.location, paths]).toEqual([307, '/elsewhere', ['/here']]);
  });

  it('releases its connection for a later request when it is dumped', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x'.repeat(1000));
    });
    const pools = openPools();
    for (let count = 0; count < 3; count += 1) await (await post(pools, url)).dump();
    expect(ports.size).toBeLessThan(3);
  });

  it('closes its socket if it is read only in part', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((request, response) => {
      request.socket.on('close', () => closed.resolve());
      response.write('endless');
    });
    for await (const chunk of (await post(openPools(), url)).body) {
      expect(chunk.toString()).toBe('endless');
      break;
    }
    await closed.promise;
  });

  it('is rejected above the limit', async () => {
    const url = await serve((_request, response) => response.end('x'.repeat(1000)));
    const failure = await failureOf((await post(openPools(), url)).bytes(999));
    expect(failure).toMatchObject({ kind: 'too_large', wasSent: true });
  });
});

describe('connect: nothing was sent', () => {
  it('if the port refuses', async () => {
    const server = createTcpServer();
    const url = await listen(server);
    server.close();
    await once(server, 'close');
    expect(await failureOf(post(openPools(), url))).toMatchObject({
      kind: 'connect',
      wasSent: false,
      code: 'ECONNREFUSED',
    });
  });

  it('if the host has no address', async () => {
    const lookup: NonNullable<HttpPoolsOptions['lookup']> = (_host, _options, callback) =>
      callback(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' }), '', 0);
    const failure = await failureOf(post(openPools({ lookup }), 'http://nowhere.invalid/'));
    expect(failure).toMatchObject({ kind: 'connect', wasSent: false, code: 'ENOTFOUND' });
  });

  it('if the server does not use TLS', async () => {
    const url = await listen(createTcpServer((socket) => socket.end('no TLS here\r\n')));
    const failure = await failureOf(post(openPools(), url.replace('http:', 'https:')));
    expect(failure).toMatchObject({ kind: 'connect', wasSent: false });
  });

  it('if the TLS handshake takes too long', async () => {
    const url = await listen(createTcpServer());
    const failure = await failureOf(post(openPools({ connectTimeoutMs: 50 }), url.replace('http:', 'https:')));
    expect(failure).toMatchObject({ kind: 'connect', wasSent: false, isTimeout: true });
  });

  it('if the socket is reset during the TLS handshake', async () => {
    const url = await listen(createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
    const failure = await failureOf(post(openPools(), url.replace('http:', 'https:')));
    expect(failure).toMatchObject({ kind: 'connect', wasSent: false });
  });
});

describe('ambiguous: the upstream may have done the work', () => {
  it('if it closes before it responds', async () => {
    const url = await serveRaw((socket) => socket.end());
    expect(await failureOf(post(openPools(), url))).toMatchObject({ kind: 'ambiguous', wasSent: true });
  });

  it('if it resets the connection before it responds', async () => {
    const url = await serveRaw((socket) => socket.resetAndDestroy());
    expect(await failureOf(post(openPools(), url))).toMatchObject({ kind: 'ambiguous', wasSent: true });
  });

  it('if it closes at once without reading, which looks the same', async () => {
    const url = await listen(createTcpServer((socket) => socket.end()));
    const failure = await failureOf(post(openPools(), url));
    expect(['ambiguous', 'connect']).toContain(failure.kind);
    expect(failure.kind === 'ambiguous').toBe(failure.wasSent);
  });

  it('if its head takes too long', async () => {
    const url = await serve(() => undefined);
    const failure = await failureOf(post(openPools(), url, { headersTimeoutMs: 50 }));
    expect(failure).toMatchObject({ kind: 'ambiguous', isTimeout: true, code: 'UND_ERR_HEADERS_TIMEOUT' });
  });

  it('if its response is not HTTP', async () => {
    const url = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
    expect(await failureOf(post(openPools(), url))).toMatchObject({ kind: 'ambiguous', wasSent: true });
  });

  it('if its body is cut', async () => {
    const url = await serveRaw((socket) => socket.end(`${HEAD_OF_TEN}12345`));
    const response = await post(openPools(), url);
    expect(await failureOf(response.bytes(100))).toMatchObject({ kind: 'ambiguous', wasSent: true });
  });

  it('if its body stalls', async () => {
    const url = await serveRaw((socket) => socket.write(`${HEAD_OF_TEN}12345`));
    const response = await post(openPools(), url, { bodyTimeoutMs: 50 });
    const failure = await failureOf(response.bytes(100));
    expect(failure).toMatchObject({ kind: 'ambiguous', isTimeout: true, code: 'UND_ERR_BODY_TIMEOUT' });
  });

  it('throws nothing if an unread body breaks', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serveRaw((socket) => {
      socket.on('close', () => closed.resolve());
      socket.end(`${HEAD_OF_TEN}12345`);
    });
    const response = await post(openPools(), url);
    await closed.promise;
    await response.dump();
    expect(response.status).toBe(200);
  });
});

describe('a keep-alive connection', () => {
  it('is replaced if the server closed it while it was idle', async () => {
    let connections = 0;
    const idleClosed = Promise.withResolvers<void>();
    const url = await listen(
      createTcpServer((socket) => {
        connections += 1;
        const isFirst = connections === 1;
        socket.on('data', () => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', () => {
            if (isFirst) socket.end();
          });
        });
        socket.on('close', () => idleClosed.resolve());
      }),
    );
    const pools = openPools();
    expect((await (await post(pools, url)).bytes(10)).toString()).toBe('ok');
    await idleClosed.promise;
    expect((await (await post(pools, url)).bytes(10)).toString()).toBe('ok');
    expect(connections).toBe(2);
  });

  it('to an internal service closes before that service does, whatever its header says', async () => {
    const isClosed = Promise.withResolvers<number>();
    let respondedAtMs = 0;
    const url = await listen(
      createTcpServer((socket) => {
        socket.on('data', () => {
          respondedAtMs = Date.now();
          socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=75\r\ncontent-length: 2\r\n\r\nok');
        });
        socket.on('end', () => isClosed.resolve(Date.now() - respondedAtMs));
      }),
    );
    await (await post(openPools(INTERNAL_SERVICES), url)).bytes(10);
    expect(await isClosed.promise).toBeGreaterThan(INTERNAL_SERVICES.keepAliveMs / 2);
  });

  it('that closes after the next request was written fails as ambiguous without a retry', async () => {
    let requests = 0;
    const url = await serveRaw((socket) => {
      requests += 1;
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      else socket.resetAndDestroy();
    });
    const pools = openPools();
    await (await post(pools, url)).bytes(10);
    expect(await failureOf(post(pools, url))).toMatchObject({ kind: 'ambiguous', wasSent: true });
    expect(requests).toBe(2);
  });
});

describe('an abort', () => {
  it('before the request sends nothing', async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const failure = await failureOf(post(openPools(), url, { signal: AbortSignal.abort(new Error('left')) }));
    expect(failure).toMatchObject({ kind: 'aborted', wasSent: false });
    expect(requests).toBe(0);
  });

  it('while the request is queued rejects at once and sends nothing', async () => {
    const paths: (string | undefined)[] = [];
    const held = Promise.withResolvers<() => void>();
    const url = await serve((request, response) => {
      paths.push(request.url);
      if (request.url === '/first') held.resolve(() => response.end());
      else response.end();
    });
    const pools = openPools({ connections: 1 });
    const first = post(pools, `${url}/first`);
    const release = await held.promise;
    const controller = new AbortController();
    const second = post(pools, `${url}/second`, { signal: controller.signal });
    const third = post(pools, `${url}/third`);
    controller.abort(new Error('left'));
    expect(await failureOf(second)).toMatchObject({ kind: 'aborted', wasSent: false });
    release();
    await (await first).dump();
    await (await third).dump();
    expect(paths).toEqual(['/first', '/third']);
  });

  it('before the head closes the socket and reports that the upstream may have started', async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const url = await serve((request) => {
      request.socket.on('close', () => closed.resolve());
      controller.abort(new Error('left'));
    });
    const failure = await failureOf(post(openPools(), url, { signal: controller.signal }));
    expect(failure).toMatchObject({ kind: 'aborted', wasSent: true });
    expect(failure.cause).toMatchObject({ message: 'left' });
    await closed.promise;
  });

  it('inside the body rejects the read and closes the socket', async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const url = await serveRaw((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write(`${HEAD_OF_TEN}12345`);
    });
    const response = await post(openPools(), url, { signal: controller.signal });
    const chunks: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body) {
        chunks.push(chunk.toString());
        controller.abort(new Error('left'));
      }
    })();
    expect(await failureOf(reading)).toMatchObject({ kind: 'aborted', wasSent: true });
    expect(chunks).toEqual(['12345']);
    await closed.promise;
  });

  it('after the end has no effect', async () => {
    const controller = new AbortController();
    const url = await serve((_request, response) => response.end('whole'));
    const response = await post(openPools(), url, { signal: controller.signal });
    const bytes = await response.bytes(100);
    controller.abort();
    expect(bytes.toString()).toBe('whole');
  });
});

describe('misuse', () => {
  it('throws its own error, never a retryable failure', async () => {
    const send = openPools().send(
      { method: 'POST', url: 'http://127.0.0.1:1/', headers: { 'bad name': 'x' }, body: null },
      LONG,
    );
    const error: unknown = await send.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'UND_ERR_INVALID_ARG' });
    expect(isHttpFailure(error)).toBe(false);
  });
});

describe('jsonRequest', () => {
  const { signal } = new AbortController();

  it('sends and reads JSON', async () => {
    const url = await serve((request, response) => {
      expect(request.headers['content-type']).toBe('application/json');
      response.writeHead(402);
      request.pipe(response);
    });
    const response = await jsonRequest(openPools(), { method: 'POST', url, body: { a: 'ü' }, signal });
    expect(response).toEqual({ status: 402, body: { a: 'ü' } });
  });

  it('gives no body if the response has none', async () => {
    const url = await serve((_request, response) => response.writeHead(204).end());
    expect(await jsonRequest(openPools(), { method: 'GET', url, signal })).toEqual({
      status: 204,
      body: undefined,
    });
  });

  it('is ambiguous if the response is not JSON', async () => {
    const url = await serve((_request, response) => response.end('<html>'));
    const failure = await failureOf(jsonRequest(openPools(), { method: 'GET', url, signal }));
    expect(failure).toMatchObject({ kind: 'ambiguous', code: 'NOT_JSON' });
  });

  it('ends at the timeout of its signal', async () => {
    const time = new AbortController();
    const url = await serve(() => time.abort(new DOMException('it is over', 'TimeoutError')));
    const failure = await failureOf(jsonRequest(openPools(), { method: 'GET', url, signal: time.signal }));
    expect(failure).toMatchObject({ isTimeout: true, wasSent: true });
  });
});
