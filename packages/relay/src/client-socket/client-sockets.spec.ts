import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ClientSockets } from './client-sockets.js';

const MEBIBYTE = 1024 * 1024;
const MESSAGES = 4_000;
const RESPONSE = 'x'.repeat(10_000);
/** More than one read of a connection can add to what waits. */
const MOST_WAITING_BYTES = 16 * MEBIBYTE;
const TEXT = 0x81;
const PING = 0x89;
const PONG = 0x8a;

let server: Server | undefined;
const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  server?.closeAllConnections();
  server?.close();
});

/** A masked frame, as a client sends it. The mask is zero. */
const frame = (head: number, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([head, 0x80 | payload.length, 0, 0, 0, 0]), payload]);

/** A server that responds to each message, and a client that has not begun to read. */
async function open() {
  const sockets = new ClientSockets(MEBIBYTE);
  const state = { messages: 0, waitingBytes: 0 };
  server = createServer();
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    sockets.accept(request, socket, head, (client) => ({
      onMessage: () => {
        state.messages += 1;
        client.send(RESPONSE);
        state.waitingBytes = Math.max(state.waitingBytes, socket.writableLength);
      },
      onClose: () => undefined,
    }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  opened.push(client);
  client.on('error', () => undefined);
  client.write(
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await once(client, 'data');
  client.pause();
  return { client, state };
}

const isOver = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe('a client that sends and does not read', () => {
  it('is read again once it has read what waits for it', async () => {
    const { client, state } = await open();
    client.write(Buffer.concat(Array.from({ length: MESSAGES }, () => frame(TEXT, Buffer.from('?')))));
    await isOver(() => state.messages > 0);
    client.resume();
    await isOver(() => state.messages === MESSAGES);
  });

  it('makes no more responses wait than a few messages cause', async () => {
    const { client, state } = await open();
    const some = Buffer.concat(Array.from({ length: 100 }, () => frame(TEXT, Buffer.alloc(100, '?'))));
    // Until the connection is full, or too much waits.
    while (!client.writableNeedDrain && state.waitingBytes < MOST_WAITING_BYTES) {
      client.write(some);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(state.messages).toBeGreaterThan(0);
    expect(state.waitingBytes).toBeLessThan(MOST_WAITING_BYTES);
  });
});

describe.each([
  ['pings', PING],
  ['pongs', PONG],
])('a client that floods with %s', (_name, head) => {
  const flood = (count: number): Buffer =>
    Buffer.concat(Array.from({ length: count }, () => frame(head, Buffer.alloc(0))));

  it('is cut', async () => {
    const { client } = await open();
    client.resume();
    const closed = once(client, 'close');
    client.write(flood(1_001));
    await closed;
  });

  it('stays open with a few', async () => {
    const { client, state } = await open();
    client.resume();
    client.write(Buffer.concat([flood(1_000), frame(TEXT, Buffer.from('?'))]));
    await isOver(() => state.messages === 1);
  });
});
