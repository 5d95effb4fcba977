import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OpenConnections, IDLE_CONNECTION_MS as USUAL_QUIET_MS } from './open-connections.js';

const IDLE_CONNECTION_MS = 200;
const LONG_MS = 20_000;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server whose answers the test gives, and a client that keeps its one connection. */
async function serving() {
  const waiting: ServerResponse[] = [];
  const server = createServer((_request, response) => void waiting.push(response));
  // As ours are: what stands before them knows when it is done with a connection.
  server.keepAliveTimeout = 75_000;
  const connections = new OpenConnections(server, IDLE_CONNECTION_MS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  ends.push(() => agent.destroy());
  const ask = async (): Promise<IncomingMessage> => {
    const [answer] = await once(get({ port, host: '127.0.0.1', agent }), 'response');
    return answer as IncomingMessage;
  };
  /** The next request, as the server has it. */
  const received = async (): Promise<ServerResponse> => {
    if (waiting.length === 0) await once(server, 'request');
    return waiting.shift() as ServerResponse;
  };
  const openCount = (): Promise<number> =>
    new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));
  return { connections, ask, received, openCount, port };
}

/** Asks and is answered, so that the client has an idle connection. */
async function keptConnection(client: Awaited<ReturnType<typeof serving>>): Promise<void> {
  const asked = client.ask();
  (await client.received()).end('first');
  const answer = await asked;
  expect(answer.headers.connection).toBe('keep-alive');
  await answer.resume().toArray();
}

describe('open connections', () => {
  it('serves the next request on a connection that was idle, and says that it is the last', async () => {
    const client = await serving();
    await keptConnection(client);
    const ended = client.connections.end(LONG_MS);
    const asked = client.ask();
    (await client.received()).end('second');
    const answer = await asked;
    expect(answer.headers.connection).toBe('close');
    expect(Buffer.concat(await answer.toArray()).toString()).toBe('second');
    await ended;
    expect(await client.openCount()).toBe(0);
  });

  it('says it too in an answer that had not begun, and lets one that had begun run to its end', async () => {
    const client = await serving();
    const asked = client.ask();
    const late = await client.received();
    const streaming = await serving();
    const stream = streaming.ask();
    const response = await streaming.received();
    response.write('begun ');
    const streamed = await stream;
    const ended = [client.connections.end(LONG_MS), streaming.connections.end(LONG_MS)];
    late.end();
    expect((await asked).headers.connection).toBe('close');
    response.end('and whole');
    expect(Buffer.concat(await streamed.toArray()).toString()).toBe('begun and whole');
    await Promise.all(ended);
  });

  it('asks clients not to rest longer than it waits for them', async () => {
    const client = await serving();
    const asked = client.ask();
    (await client.received()).end();
    const { headers } = await asked;
    const [, seconds] = /^timeout=(\d+)$/.exec(String(headers['keep-alive'])) ?? [];
    expect(Number(seconds) * 1_000).toBeLessThan(USUAL_QUIET_MS);
  });

  it('reads what has arrived before it takes a connection for quiet, however busy the process was', async () => {
    const { connections, received, port } = await serving();
    const socket = connect(port, '127.0.0.1');
    ends.push(() => socket.destroy());
    const ask = () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    ask();
    (await received()).end('first');
    await once(socket, 'data');
    const ended = connections.end(LONG_MS);
    ask();
    // Nothing else happens meanwhile, reading neither.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * IDLE_CONNECTION_MS);
    (await received()).end('second');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('second');
    await ended;
  });

  it('closes what stays quiet, and takes nobody new', async () => {
    const client = await serving();
    await keptConnection(client);
    await client.connections.end(LONG_MS);
    expect(await client.openCount()).toBe(0);
    await expect(client.ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('waits no longer than it is told for an answer that does not end', async () => {
    const client = await serving();
    const asked = client.ask();
    const response = await client.received();
    await client.connections.end(1);
    response.end();
    await asked;
  });
});
