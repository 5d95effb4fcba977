import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChunkedBody } from './chunked-body.js';

let server: Server;

async function serve(respond: (raw: ServerResponse) => void): Promise<number> {
  server = createServer((_request, raw) => respond(raw)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** What arrives for requests that are sent at once, byte for byte. */
async function exchange(port: number, ...requests: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(requests.join(''));
  return text(socket);
}

const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const LAST_GET = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';

const sendAll =
  (chunks: readonly string[], last?: Buffer | string, headers = {}) =>
  (raw: ServerResponse): void => {
    raw.sendDate = false;
    raw.writeHead(200, headers);
    const body = new ChunkedBody(raw);
    for (const chunk of chunks) body.write(Buffer.from(chunk));
    body.end(last);
  };

afterEach(async () => {
  server.close();
  await once(server, 'close');
});

describe('ChunkedBody', () => {
  it('frames each chunk, and ends with the last chunk of length zero', async () => {
    const port = await serve(sendAll(['one', 'grüße'], ': cost\n\n'));
    const response = await exchange(port, LAST_GET);
    expect(response.split('\r\n\r\n').slice(1).join('\r\n\r\n')).toBe(
      '3\r\none\r\n7\r\ngrüße\r\n8\r\n: cost\n\n\r\n0\r\n\r\n',
    );
  });

  it('writes no empty chunk, which would end the body', async () => {
    const port = await serve(sendAll(['', 'one', ''], Buffer.alloc(0)));
    expect(await exchange(port, LAST_GET)).toMatch(/\r\n\r\n3\r\none\r\n0\r\n\r\n$/);
  });

  it('keeps the connection for the next response', async () => {
    const port = await serve(sendAll(['one']));
    const response = await exchange(port, GET, GET, LAST_GET);
    expect(response.match(/3\r\none\r\n0\r\n\r\n/g)).toHaveLength(3);
  });

  it('passes chunks of any size', async () => {
    const sizes = [1, 15, 16, 255, 256, 16_384, 16_385, 300_000];
    const port = await serve(sendAll(sizes.map((size) => 'x'.repeat(size))));
    const received = await (await fetch(`http://127.0.0.1:${port}`)).text();
    expect(received.length).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });

  it('leaves a body of known length, and an HTTP/1.0 client, as they are', async () => {
    const port = await serve(sendAll(['one'], undefined, { 'content-length': '3' }));
    expect(await exchange(port, LAST_GET)).toMatch(/\r\n\r\none$/);
    server.close();
    const olderPort = await serve(sendAll(['one', 'two']));
    expect(await exchange(olderPort, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/\r\n\r\nonetwo$/);
  });
});
