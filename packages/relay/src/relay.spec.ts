import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { FRAME, newRequestId } from '@gateway/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { openSocket } from './client/open-socket.js';
import { decodeFrame, encodeFrame, encodeJsonFrame } from './codec/frame-codec.js';
import { signRelayCredential } from './handshake/relay-credential.js';
import {
  type PendingRequest,
  type PendingRequestHandlers,
  RelayPool,
  RelayServer,
  type RequestStream,
  relayAbortReason,
} from './index.js';

const SECRET = 'a secret of at least 32 characters';
const TOKEN = '0123456789abcdef0123456789abcdef';
const FAILURE = { code: 'upstream_error', message: 'no' } as const;

/** What one request's handlers were told, in order, and a way to wait for the next of a kind. */
class Told implements PendingRequestHandlers {
  readonly events: [name: string, value?: unknown][] = [];
  readonly chunks: Buffer[] = [];
  private readonly listeners = new Set<() => void>();

  onGranted = (workerId: string) => this.note('granted', workerId);
  onHead = (head: unknown) => this.note('head', head);
  onData = (chunk: Buffer) => {
    this.chunks.push(Buffer.from(chunk));
    this.note('data', chunk.length);
  };
  onEnd = (end: unknown) => this.note('end', end);
  onFail = (error: unknown) => this.note('fail', error);
  onMeter = (reading: unknown) => this.note('meter', reading);
  onWorkerLost = () => this.note('lost');

  get names(): string[] {
    return this.events.map(([name]) => name);
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.listeners.add(resolve));
  }

  untilTold = (name: string): Promise<void> => this.until(() => this.names.includes(name));

  private note(name: string, value?: unknown): void {
    this.events.push(value === undefined ? [name] : [name, value]);
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}

const closers: (() => Promise<unknown> | unknown)[] = [];
const errors: Error[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  errors.length = 0;
});

async function startEdge(heartbeatMs = 2_000): Promise<{ server: RelayServer; replyTo: string }> {
  const server = new RelayServer({
    host: '127.0.0.1',
    port: 0,
    secret: SECRET,
    heartbeatMs,
    onError: (error) => errors.push(error),
  });
  const port = await server.listen();
  closers.push(() => server.close());
  return { server, replyTo: `ws://127.0.0.1:${port}/relay` };
}

function startWorker(workerId = 'worker-1', more: { timeoutMs?: number; idleMs?: number } = {}): RelayPool {
  const pool = new RelayPool({ workerId, secret: SECRET, onError: (error) => errors.push(error), ...more });
  closers.push(() => pool.close());
  return pool;
}

interface Story {
  readonly server: RelayServer;
  readonly pool: RelayPool;
  readonly replyTo: string;
  readonly requestId: string;
  readonly told: Told;
  readonly waiting: PendingRequest;
  readonly ticket: { replyTo: string; requestId: string; claimToken: string };
}

async function expectOne(body: string | Uint8Array = '{"model":"m"}', workerId?: string): Promise<Story> {
  const { server, replyTo } = await startEdge();
  const requestId = newRequestId();
  const told = new Told();
  const waiting = server.expect(requestId, TOKEN, told, () => body);
  const ticket = { replyTo, requestId, claimToken: TOKEN };
  return { server, pool: startWorker(workerId), replyTo, requestId, told, waiting, ticket };
}

async function claimOne(body?: string | Uint8Array): Promise<Story & { claimed: RequestStream }> {
  const story = await expectOne(body);
  return { ...story, claimed: await mustClaim(story.pool, story.ticket) };
}

async function mustClaim(pool: RelayPool, ticket: Story['ticket']): Promise<RequestStream> {
  const claimed = await pool.claim(ticket);
  if (typeof claimed === 'string') throw new Error(`the claim was ${claimed}`);
  return claimed;
}

/** A socket that passed the handshake and then says whatever a test wants. */
async function openRaw(replyTo: string, workerId = 'raw'): Promise<WebSocket> {
  const { webSocket } = await openSocket(replyTo, signRelayCredential(SECRET, workerId, Date.now()), 20_000);
  closers.push(() => webSocket.terminate());
  return webSocket;
}

describe('claiming', () => {
  it('gives the body to the worker and the answer to the edge, in order', async () => {
    const { claimed, told, server } = await claimOne('{"text":"ü"}');
    expect(claimed.takeBody().toString()).toBe('{"text":"ü"}');
    expect(() => claimed.takeBody()).toThrow('has been taken');
    claimed.head({ status: 200, headers: { 'content-type': 'text/plain' } });
    claimed.data(Buffer.from('one '));
    claimed.meter({ units: { output_token: 1 }, inputTokensTotal: 3, isEstimated: true });
    claimed.data(Buffer.from('two'));
    claimed.end({ costNanoUsd: '12' });
    await told.untilTold('end');
    expect(told.events).toEqual([
      ['granted', 'worker-1'],
      ['head', { status: 200, headers: { 'content-type': 'text/plain' } }],
      ['data', 4],
      ['meter', { units: { output_token: 1 }, inputTokensTotal: 3, isEstimated: true }],
      ['data', 3],
      ['end', { costNanoUsd: '12' }],
    ]);
    expect(Buffer.concat(told.chunks).toString()).toBe('one two');
    expect(server.waitingCount).toBe(0);
  });

  it('tells the edge why an answer failed', async () => {
    const { claimed, told } = await claimOne();
    claimed.fail(FAILURE);
    claimed.data(Buffer.from('late'));
    claimed.end({ costNanoUsd: '0' });
    await told.untilTold('fail');
    expect(told.events.slice(1)).toEqual([['fail', FAILURE]]);
  });

  it('is denied with a wrong token, and the right one still serves', async () => {
    const { pool, ticket, told } = await expectOne();
    expect(await pool.claim({ ...ticket, claimToken: TOKEN.replace('0', '1') })).toBe('denied');
    expect(await pool.claim({ ...ticket, claimToken: 'short' })).toBe('denied');
    expect(told.events).toEqual([]);
    expect(await pool.claim(ticket)).not.toBe('denied');
  });

  it('is denied for a request that nobody waits for', async () => {
    const { pool, ticket, waiting } = await expectOne();
    waiting.release();
    expect(await pool.claim(ticket)).toBe('denied');
  });

  it('is won by exactly one of many workers', async () => {
    const { ticket, told } = await expectOne();
    const pools = ['a', 'b', 'c', 'd'].map((workerId) => startWorker(workerId));
    const outcomes = await Promise.all(pools.flatMap((pool) => [pool.claim(ticket), pool.claim(ticket)]));
    expect(outcomes.filter((claimed) => claimed !== 'denied')).toHaveLength(1);
    expect(told.names).toEqual(['granted']);
  });

  it('says that it reaches nobody where nobody listens, and tries again the next time', async () => {
    const { server, replyTo } = await startEdge();
    await server.close();
    const pool = startWorker();
    const ticket = { replyTo, requestId: newRequestId(), claimToken: TOKEN };
    expect(await pool.claim(ticket)).toBe('unreachable');
    expect(pool.edgeCount).toBe(0);
    expect(errors).toHaveLength(1);
  });

  it('says so within its timeout where a listener never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closers.push(() => silent.close());
    const address = silent.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const pool = startWorker('worker-1', { timeoutMs: 50 });
    const ticket = { replyTo: `ws://127.0.0.1:${address.port}/relay`, requestId: newRequestId(), claimToken: TOKEN };
    expect(await pool.claim(ticket)).toBe('unreachable');
  });

  it('opens one socket for many claims at once', async () => {
    const { server, replyTo } = await startEdge();
    const pool = startWorker();
    const tickets = Array.from({ length: 20 }, () => ({ replyTo, requestId: newRequestId(), claimToken: TOKEN }));
    for (const { requestId } of tickets) server.expect(requestId, TOKEN, new Told(), () => requestId);
    const claimed = await Promise.all(tickets.map((ticket) => mustClaim(pool, ticket)));
    expect(claimed.map((one) => one.takeBody().toString())).toEqual(tickets.map(({ requestId }) => requestId));
    expect(server.workerCount).toBe(1);
  });

  it('hands a grant that came too late back to the edge', async () => {
    const { replyTo, told, requestId, server } = await expectOne();
    const socket = await openRaw(replyTo);
    socket.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken: TOKEN, workerId: 'raw' }));
    await told.untilTold('granted');
    socket.send(encodeFrame(FRAME.deny, requestId));
    await told.untilTold('lost');
    expect(server.waitingCount).toBe(0);
  });

  it('refuses to expect the same request twice', async () => {
    const { server, requestId } = await expectOne();
    expect(() => server.expect(requestId, TOKEN, new Told(), () => '')).toThrow(requestId);
  });
});

/** Turns of the event loop until a thing that a frame on its way will cause has come about. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('a slow client', () => {
  it('holds the worker back until it reads again', async () => {
    const { claimed, waiting } = await claimOne();
    expect(claimed.ready()).toBeUndefined();
    waiting.pause();
    await until(() => claimed.ready() !== undefined);
    const ready = claimed.ready();
    waiting.resume();
    await ready;
    expect(claimed.ready()).toBeUndefined();
  });

  it('that paused before the claim holds back the worker that claims', async () => {
    const { pool, ticket, waiting } = await expectOne();
    waiting.pause();
    const claimed = await mustClaim(pool, ticket);
    await until(() => claimed.ready() !== undefined);
    waiting.resume();
    await claimed.ready();
    expect(claimed.ready()).toBeUndefined();
  });

  it('that leaves frees a worker that was held back', async () => {
    const { claimed, waiting } = await claimOne();
    waiting.pause();
    await until(() => claimed.ready() !== undefined);
    const ready = claimed.ready();
    expect(waiting.cancel('slow_client')).toBe(true);
    await ready;
    expect(relayAbortReason(claimed.signal)).toBe('slow_client');
  });
});

describe('a socket that drains slowly', () => {
  it('holds the worker back and then lets it go on, with nothing lost', async () => {
    const { claimed, told } = await claimOne();
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    let waits = 0;
    for (let count = 0; count < 24; count += 1) {
      claimed.data(megabyte);
      const ready = claimed.ready();
      if (ready !== undefined) waits += 1;
      await ready;
    }
    claimed.end({ costNanoUsd: '0' });
    await told.untilTold('end');
    expect(waits).toBeGreaterThan(0);
    expect(told.chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBe(24 * megabyte.length);
  });
});

describe('cancelling', () => {
  it('aborts the worker with the reason, and the edge still hears how it ended', async () => {
    const { claimed, waiting, told } = await claimOne();
    claimed.head({ status: 200, headers: {} });
    await told.untilTold('head');
    expect(waiting.cancel('client_closed')).toBe(true);
    claimed.data(Buffer.from('on its way'));
    await until(() => claimed.signal.aborted);
    expect(relayAbortReason(claimed.signal)).toBe('client_closed');
    claimed.data(Buffer.from('dropped'));
    claimed.meter({ units: {}, inputTokensTotal: 0, isEstimated: true });
    claimed.end({ costNanoUsd: '7' });
    await told.untilTold('end');
    expect(told.names).toEqual(['granted', 'head', 'meter', 'end']);
  });

  it('before any claim says that it never ran, and nobody can claim it', async () => {
    const { pool, ticket, waiting } = await expectOne();
    expect(waiting.cancel('deadline')).toBe(false);
    expect(await pool.claim(ticket)).toBe('denied');
  });

  it('while the body is still on its way says that it never ran', async () => {
    const { pool, ticket, waiting, told } = await expectOne(Buffer.alloc(64 * 1024 * 1024));
    const claim = pool.claim(ticket);
    await told.untilTold('granted');
    expect(waiting.cancel('client_closed')).toBe(false);
    expect(await claim).toBe('denied');
    expect(told.names).toEqual(['granted']);
  });

  it('after the end does nothing', async () => {
    const { claimed, waiting, told } = await claimOne();
    claimed.end({ costNanoUsd: '1' });
    await told.untilTold('end');
    waiting.cancel('client_closed');
    waiting.pause();
    waiting.release();
    expect(claimed.signal.aborted).toBe(false);
  });
});

describe('death', () => {
  it('of a worker is told at once to each of its requests and to no other', async () => {
    const { server, replyTo } = await startEdge();
    const socket = await openRaw(replyTo);
    const [mine, alsoMine, other] = [new Told(), new Told(), new Told()];
    const ids = [mine, alsoMine, other].map((told) => {
      const requestId = newRequestId();
      server.expect(requestId, TOKEN, told, () => '');
      return requestId;
    });
    for (const requestId of ids.slice(0, 2)) {
      socket.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken: TOKEN, workerId: 'raw' }));
    }
    const claimed = await mustClaim(startWorker(), { replyTo, requestId: ids[2] as string, claimToken: TOKEN });
    await alsoMine.untilTold('granted');
    socket.terminate();
    await Promise.all([mine.untilTold('lost'), alsoMine.untilTold('lost')]);
    claimed.end({ costNanoUsd: '0' });
    await other.untilTold('end');
    expect(other.names).toEqual(['granted', 'end']);
    expect(server.waitingCount).toBe(0);
  });

  it('of a worker that only fell silent is found by its missing heartbeats', async () => {
    const { server, replyTo } = await startEdge(100);
    const told = new Told();
    const requestId = newRequestId();
    server.expect(requestId, TOKEN, told, () => '');
    const { webSocket, tcpSocket } = await openSocket(replyTo, signRelayCredential(SECRET, 'w', Date.now()), 20_000);
    closers.push(() => webSocket.terminate());
    webSocket.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken: TOKEN, workerId: 'w' }));
    await told.untilTold('granted');
    tcpSocket.pause();
    await told.untilTold('lost');
    expect(server.workerCount).toBe(0);
  });

  it('of an edge aborts what ran for it and frees a writer that waits', async () => {
    const { claimed, server, pool, waiting, told } = await claimOne();
    waiting.pause();
    await until(() => claimed.ready() !== undefined);
    const ready = claimed.ready();
    await server.close();
    await ready;
    expect(relayAbortReason(claimed.signal)).toBe('edge_lost');
    expect(told.names).toEqual(['granted', 'lost']);
    expect(pool.edgeCount).toBe(0);
    claimed.end({ costNanoUsd: '0' });
  });

  it('of a socket by idleness is followed by a new one on demand', async () => {
    const { server, replyTo } = await startEdge();
    const pool = startWorker('worker-1', { idleMs: 20 });
    for (let round = 0; round < 2; round += 1) {
      const requestId = newRequestId();
      const told = new Told();
      server.expect(requestId, TOKEN, told, () => '');
      (await mustClaim(pool, { replyTo, requestId, claimToken: TOKEN })).end({ costNanoUsd: '0' });
      await told.untilTold('end');
      await until(() => server.workerCount === 0);
    }
    expect(pool.edgeCount).toBe(0);
  });
});

describe('a large body', () => {
  it('arrives whole while short requests on the same socket pass it', async () => {
    const { server, replyTo } = await startEdge();
    const pool = startWorker();
    const body = Buffer.from(Array.from({ length: 5 * 1024 * 1024 }, (_, index) => (index * 31) % 251));
    const order: string[] = [];
    const claimBody = async (name: string, content: Uint8Array) => {
      const requestId = newRequestId();
      server.expect(requestId, TOKEN, new Told(), () => content);
      const claimed = await mustClaim(pool, { replyTo, requestId, claimToken: TOKEN });
      order.push(name);
      return claimed.takeBody();
    };
    await claimBody('opening', Buffer.alloc(1));
    const large = claimBody('large', body);
    const small = Array.from({ length: 10 }, (_, index) => claimBody(`small ${index}`, Buffer.alloc(100)));
    await Promise.all(small);
    expect((await large).equals(body)).toBe(true);
    expect(order.at(-1)).toBe('large');
    expect(order).toHaveLength(12);
  });

  it('may be empty', async () => {
    expect((await claimOne('')).claimed.takeBody()).toHaveLength(0);
  });
});

describe('a foreign socket', () => {
  it('cannot speak for a request that another worker claimed', async () => {
    const { claimed, replyTo, requestId, told } = await claimOne();
    const foreign = await openRaw(replyTo);
    const isHandled = once(foreign, 'pong');
    foreign.send(encodeFrame(FRAME.data, requestId, Buffer.from('forged')));
    foreign.send(encodeJsonFrame(FRAME.end, requestId, { costNanoUsd: '999' }));
    foreign.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken: TOKEN, workerId: 'raw' }));
    const denied = once(foreign, 'message');
    foreign.ping();
    await isHandled;
    expect(decodeFrame((await denied)[0] as Buffer).type).toBe(FRAME.deny);
    claimed.end({ costNanoUsd: '1' });
    await told.untilTold('end');
    expect(told.events).toEqual([
      ['granted', 'worker-1'],
      ['end', { costNanoUsd: '1' }],
    ]);
  });

  it.each([
    ['an empty message', Buffer.alloc(0)],
    ['a type that is none', Buffer.concat([Buffer.from([99]), Buffer.alloc(40)])],
    ['a frame that only an edge sends', encodeFrame(FRAME.grant, newRequestId())],
    ['a claim that is not JSON', encodeFrame(FRAME.claim, newRequestId(), Buffer.from('{'))],
    ['text', 'hello'],
    ['a message beyond every limit', Buffer.alloc(5 * 1024 * 1024)],
  ])('that sends %s is closed, and the server goes on', async (_what, message) => {
    const { claimed, told, replyTo } = await claimOne();
    const socket = await openRaw(replyTo);
    socket.on('error', (error) => errors.push(error));
    socket.send(message);
    await once(socket, 'close');
    claimed.end({ costNanoUsd: '1' });
    await told.untilTold('end');
    expect(errors.length).toBeGreaterThan(0);
  });

  it('that breaks the protocol inside its own request loses that request', async () => {
    const { replyTo, told, requestId } = await expectOne();
    const socket = await openRaw(replyTo);
    socket.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken: TOKEN, workerId: 'raw' }));
    socket.send(encodeJsonFrame(FRAME.head, requestId, { status: 'fine' }));
    await told.untilTold('lost');
    expect(told.names).toEqual(['granted', 'lost']);
  });
});

describe('a handler that throws', () => {
  it('is reported, and the other requests of the socket go on', async () => {
    const { server, replyTo } = await startEdge();
    const pool = startWorker();
    const [bad, good] = [newRequestId(), newRequestId()];
    const told = new Told();
    const throwing = Object.assign(new Told(), {
      onData: () => {
        throw new Error('a fault of the edge');
      },
    });
    server.expect(bad, TOKEN, throwing, () => '');
    server.expect(good, TOKEN, told, () => '');
    (await mustClaim(pool, { replyTo, requestId: bad, claimToken: TOKEN })).data(Buffer.from('x'));
    (await mustClaim(pool, { replyTo, requestId: good, claimToken: TOKEN })).end({ costNanoUsd: '0' });
    await told.untilTold('end');
    expect(errors.map((error) => error.message)).toEqual(['a fault of the edge']);
  });
});

describe('the upgrade', () => {
  const statusOf = (replyTo: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      const request = httpRequest(replyTo.replace('ws:', 'http:'), {
        headers: { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', ...headers },
      });
      request.once('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response.statusCode);
      });
      request.once('response', (response) => resolve(response.resume().statusCode));
      request.once('error', reject);
      request.end();
    });

  it('needs the shared secret', async () => {
    const { replyTo } = await startEdge();
    const nowMs = Date.now();
    const forged = signRelayCredential('b'.repeat(32), 'worker-1', nowMs);
    const old = signRelayCredential(SECRET, 'worker-1', nowMs - 120_000);
    const good = signRelayCredential(SECRET, 'worker-1', nowMs);
    expect(await statusOf(replyTo, {})).toBe(401);
    expect(await statusOf(replyTo, { authorization: forged })).toBe(401);
    expect(await statusOf(replyTo, { authorization: old })).toBe(401);
    expect(await statusOf(`${replyTo}/elsewhere`, { authorization: good })).toBe(404);
    expect(await statusOf(replyTo, { authorization: good })).toBe(101);
  });

  it('is the only thing the listener answers', async () => {
    const { replyTo } = await startEdge();
    const response = await fetch(replyTo.replace('ws:', 'http:'), { headers: { connection: 'close' } });
    expect(response.status).toBe(426);
  });

  it('believes a second secret while it is changed, and no third one', async () => {
    const other = 'the-next-secret-the-next-secret-';
    const server = new RelayServer({
      host: '127.0.0.1',
      port: 0,
      secret: SECRET,
      otherSecrets: [other],
      onError: (error) => errors.push(error),
    });
    const replyTo = `ws://127.0.0.1:${await server.listen()}/relay`;
    closers.push(() => server.close());
    const signed = (secret: string) => ({ authorization: signRelayCredential(secret, 'worker-1', Date.now()) });
    expect(await statusOf(replyTo, signed(SECRET))).toBe(101);
    expect(await statusOf(replyTo, signed(other))).toBe(101);
    expect(await statusOf(replyTo, signed(`${other}!`))).toBe(401);
  });

  it('is not offered with a short secret', () => {
    const options = { secret: 'short', onError: () => undefined };
    expect(() => new RelayServer({ ...options, host: '127.0.0.1', port: 0 })).toThrow('32 characters');
    const second = { secret: SECRET, otherSecrets: ['short'], host: '127.0.0.1', port: 0, onError: () => undefined };
    expect(() => new RelayServer(second)).toThrow('32 characters');
    expect(() => new RelayPool({ ...options, workerId: 'w' })).toThrow('32 characters');
  });
});
