import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ArrivingBodies } from './arriving-bodies.js';

const CHUNK = Buffer.alloc(64 * 1024);

/** Far above any pause of a busy machine. */
const WITHIN_MS = 1_500;
/** A chunk earns ten seconds. */
const bodies = new ArrivingBodies({ withinMs: WITHIN_MS, uploadBytesPerSecond: 6_400, checkEveryMs: 20 });
let server: Server;

beforeAll(async () => {
  server = createServer(async (message, response) => {
    if (message.url === '/early') return response.end('refused');
    let bytes = 0;
    try {
      for await (const chunk of message) bytes += (chunk as Buffer).length;
    } catch {
      return;
    }
    response.end(String(bytes));
  });
  bodies.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const FORM = 'multipart/form-data; boundary=x';

/** A request whose body is not complete yet. */
function begin(contentType: string, path = '/') {
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': contentType, 'transfer-encoding': 'chunked' };
  const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers });
  const responded = once(sent, 'response').then(async ([message]) => {
    const response = message as IncomingMessage;
    const text = Buffer.concat(await response.toArray()).toString();
    return { status: response.statusCode, text };
  });
  return { sent, responded };
}

describe('a body that takes long', () => {
  it('arrives whole if it is an upload that is fast enough', async () => {
    const { sent, responded } = begin(FORM);
    const untilMs = Date.now() + 1.2 * WITHIN_MS;
    let chunks = 0;
    while (Date.now() < untilMs) {
      sent.write(CHUNK);
      chunks += 1;
      await sleep(100);
    }
    sent.end();
    expect(await responded).toEqual({ status: 200, text: String(chunks * CHUNK.length) });
  });

  it.each([
    ['an upload that drips', FORM, Buffer.from('x')],
    ['any other body, at any speed', 'application/json', CHUNK],
  ])('ends with a 408: %s', async (_name, contentType, first) => {
    const { sent, responded } = begin(contentType);
    sent.on('error', () => undefined);
    sent.write(first);
    expect((await responded).status).toBe(408);
  });

  it('is closed if its response went out before', async () => {
    const { sent, responded } = begin('application/json', '/early');
    sent.on('error', () => undefined);
    const closed = once(sent, 'close');
    sent.write('x');
    expect(await responded).toEqual({ status: 200, text: 'refused' });
    await closed;
  });

  it('leaves nothing behind', async () => {
    while (bodies.count > 0) await sleep(10);
    expect(bodies.count).toBe(0);
  });
});
