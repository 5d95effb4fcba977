import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { IDLE_CONNECTION_MS as DEFAULT_IDLE_MS, OpenConnections } from './open-connections.js';

const IDLE_CONNECTION_MS = 200;
const LONG_MS = 20_000;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server whose responses the test sends, and a client with one persistent connection. */
async function serving() {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => void waiting.push(response));
  // As in production, where a proxy closes connections first.
  server.keepAliveTimeout = 75_000;
  const connections = new OpenConnections(server, IDLE_CONNECTION_MS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  ends.push(() => agent.destroy());
  const send = async (): Promise<IncomingMessage> => {
    const [response] = await once(get({ port, host: '127.0.0.1', agent }), 'response');
    return response as IncomingMessage;
  };
  /** Waits for the next request and returns its response. */
  const received = async (): Promise<ServerResponse> => {
    if (waiting.length === 0) await once(server, 'request');
    return waiting.shift() as ServerResponse;
  };
  const openCount = (): Promise<number> =>
    new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  return { connections, send, received, openCount, port };
}

/** Sends one request, so that the client has an idle connection. */
async function openIdleConnection(client: Awaited<ReturnType<typeof serving>>): Promise<void> {
  const sent = client.send();
  (await client.received()).end('first');
  const response = await sent;
  expect(response.headers.connection).toBe('keep-alive');
  await response.resume().toArray();
}

describe('open connections', () => {
  it('serves the next request on an idle connection and announces the close', async () => {
    const client = await serving();
    await openIdleConnection(client);
    const ended = client.connections.end(LONG_MS);
    const sent = client.send();
    (await client.received()).end('second');
    const response = await sent;
    expect(response.headers.connection).toBe('close');
    expect(Buffer.concat(await response.toArray()).toString()).toBe('second');
    await ended;
    expect(await client.openCount()).toBe(0);
  });

  it('announces the close in a response that has not begun, and completes one that has', async () => {
    const client = await serving();
    const sent = client.send();
    const late = await client.received();
    const streaming = await serving();
    const stream = streaming.send();
    const response = await streaming.received();
    response.write('begun ');
    const streamed = await stream;
    const ended = [client.connections.end(LONG_MS), streaming.connections.end(LONG_MS)];
    late.end();
    expect((await sent).headers.connection).toBe('close');
    response.end('and whole');
    expect(Buffer.concat(await streamed.toArray()).toString()).toBe('begun and whole');
    await Promise.all(ended);
  });

  it('asks clients to reuse connections for less time than it waits', async () => {
    const client = await serving();
    const sent = client.send();
    (await client.received()).end();
    const { headers } = await sent;
    const [, seconds] = /^timeout=(\d+)$/.exec(String(headers['keep-alive'])) ?? [];
    expect(Number(seconds) * 1_000).toBeLessThan(DEFAULT_IDLE_MS);
  });

  it('reads a request that has arrived before it closes a connection, even if the process was busy', async () => {
    const { connections, received, port } = await serving();
    const socket = connect(port, '127.0.0.1');
    ends.push(() => socket.destroy());
    const send = () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    send();
    (await received()).end('first');
    await once(socket, 'data');
    const ended = connections.end(LONG_MS);
    send();
    // Blocks the process: it cannot read meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * IDLE_CONNECTION_MS);
    (await received()).end('second');
    const [response] = await once(socket, 'data');
    expect(String(response)).toContain('second');
    await ended;
  });

  it('ends a request whose client sends no more of its body, and serves one whose body arrives', async () => {
    const half = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nab';
    const begin = async () => {
      const client = await serving();
      const socket = connect(client.port, '127.0.0.1');
      ends.push(() => socket.destroy());
      socket.write(half);
      const response = await client.received();
      response.req.resume();
      return { client, socket, response };
    };
    const stalled = await begin();
    const late = await begin();
    const ended = [stalled, late].map(({ client }) => client.connections.end(LONG_MS));
    late.socket.write('cd');
    await once(late.response.req, 'end');
    const [refusal] = await once(stalled.socket, 'data');
    expect(String(refusal)).toMatch(/^HTTP\/1.1 408 /);
    late.response.end('served');
    const [served] = await once(late.socket, 'data');
    expect(String(served)).toContain('served');
    await Promise.all(ended);
  });

  it('ends no request whose body the process itself does not read', async () => {
    const client = await serving();
    const socket = connect(client.port, '127.0.0.1');
    ends.push(() => socket.destroy());
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nab');
    const response = await client.received();
    await client.connections.end(3 * IDLE_CONNECTION_MS);
    expect(response.socket?.destroyed).toBe(false);
    response.socket?.destroy();
  });

  it('closes idle connections and accepts no new one', async () => {
    const client = await serving();
    await openIdleConnection(client);
    await client.connections.end(LONG_MS);
    expect(await client.openCount()).toBe(0);
    await expect(client.send()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('stops waiting after the given time for a response that does not end', async () => {
    const client = await serving();
    const sent = client.send();
    const response = await client.received();
    await client.connections.end(1);
    response.end();
    await sent;
  });
});
