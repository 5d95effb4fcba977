import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { type ClaimedRequest, FRAME, newRequestId, requestAbortReason } from '@gateway/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { openSocket } from './client/open-socket.js';
import { decodeFrame, encodeFrame, encodeJsonFrame } from './codec/frame-codec.js';
import { signRelayCredential } from './handshake/relay-credential.js';
import { type PendingRequest, type PendingRequestHandlers, RelayPool, RelayServer } from './index.js';

const SECRET = 'a secret of at least 32 characters';
const TOKEN = '0123456789abcdef0123456789abcdef';
const FAILURE = { code: 'upstream_error', message: 'no' } as const;

/** Records the calls of one request's handlers, and waits for one. */
class RecordedHandlers implements PendingRequestHandlers {
  readonly events: [name: string, value?: unknown][] = [];
  readonly chunks: Buffer[] = [];
  private readonly listeners = new Set<() => void>();

  onGranted = (workerId: string) => this.record('granted', workerId);
  onHead = (head: unknown) => this.record('head', head);
  onData = (chunk: Buffer) => {
    this.chunks.push(Buffer.from(chunk));
    this.record('data', chunk.length);
  };
  onEnd = (end: unknown) => this.record('end', end);
  onFail = (error: unknown) => this.record('fail', error);
  onMeter = (reading: unknown) => this.record('meter', reading);
  onWorkerLost = () => this.record('lost');

  get names(): string[] {
    return this.events.map(([name]) => name);
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.listeners.add(resolve));
  }

  untilCalled = (name: string): Promise<void> => this.until(() => this.names.includes(name));

  private record(name: string, value?: unknown): void {
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

interface TestRequest {
  readonly server: RelayServer;
  readonly pool: RelayPool;
  readonly replyTo: string;
  readonly requestId: string;
  readonly handlers: RecordedHandlers;
  readonly waiting: PendingRequest;
  readonly ticket: { replyTo: string; requestId: string; claimToken: string };
}

async function expectOne(body: string | Uint8Array = '{"model":"m"}', workerId?: string): Promise<TestRequest> {
  const { server, replyTo } = await startEdge();
  const requestId = newRequestId();
  const handlers = new RecordedHandlers();
  const waiting = server.expect(requestId, TOKEN, handlers, () => body);
  const ticket = { replyTo, requestId, claimToken: TOKEN };
  return { server, pool: startWorker(workerId), replyTo, requestId, handlers, waiting, ticket };
}

async function claimOne(body?: string | Uint8Array): Promise<TestRequest & { claimed: ClaimedRequest }> {
  const request = await expectOne(body);
  return { ...request, claimed: await mustClaim(request.pool, request.ticket) };
}

async function mustClaim(pool: RelayPool, ticket: TestRequest['ticket']): Promise<ClaimedRequest> {
  const claimed = await pool.claim(ticket);
  if (typeof claimed === 'string') throw new Error(`the claim was ${claimed}`);
  return claimed;
}

/** A socket after the handshake, for frames of the test's own. */
async function openRaw(replyTo: string, workerId = 'raw'): Promise<WebSocket> {
  const { webSocket } = await openSocket(replyTo, signRelayCredential(SECRET, workerId, Date.now()), 20_000);
  closers.push(() => webSocket.terminate());
  return webSocket;
}

describe('a claim', () => {
  it('transfers the body to the worker and the response to the edge, in order', async () => {
    const { claimed, handlers, server } = await claimOne('{"text":"ü"}');
    expect(claimed.takeBody().toString()).toBe('{"text":"ü"}');
    expect(() => claimed.takeBody()).toThrow('takeBody was called twice');
    claimed.head({ status: 200, headers: { 'content-type': 'text/plain' } });
    claimed.data(Buffer.from('one '));
    claimed.meter({ units: { output_token: 1 }, inputTokensTotal: 3, isEstimated: true });
    claimed.data(Buffer.from('two'));
    claimed.end({ costNanoUsd: '12' });
    await handlers.untilCalled('end');
    expect(handlers.events).toEqual([
      ['granted', 'worker-1'],
      ['head', { status: 200, headers: { 'content-type': 'text/plain' } }],
      ['data', 4],
      ['meter', { units: { output_token: 1 }, inputTokensTotal: 3, isEstimated: true }],
      ['data', 3],
      ['end', { costNanoUsd: '12' }],
    ]);
    expect(Buffer.concat(handlers.chunks).toString()).toBe('one two');
    expect(server.expectedCount).toBe(0);
  });

  it('passes a failure to the edge, and nothing after it', async () => {
    const { claimed, handlers } = await claimOne();
    claimed.fail(FAILURE);
    claimed.data(Buffer.from('late'));
    claimed.end({ costNanoUsd: '0' });
    await handlers.untilCalled('fail');
    expect(handlers.events.slice(1)).toEqual([['fail', FAILURE]]);
  });

  it('is denied with a wrong token, and granted with the right one afterwards', async () => {
    const { pool, ticket, handlers } = await expectOne();
    expect(await pool.claim({ ...ticket, claimToken: TOKEN.replace('0', '1') })).toBe('denied');
    expect(await pool.claim({ ...ticket, claimToken: 'short' })).toBe('denied');
    expect(handlers.events).toEqual([]);
    expect(await pool.claim(ticket)).not.toBe('denied');
  });

  it('is denied for a released request', async () => {
    const { pool, ticket, waiting } = await expectOne();
    waiting.release();
    expect(await pool.claim(ticket)).toBe('denied');
  });

  it('is granted to exactly one of many workers', async () => {
    const { ticket, handlers } = await expectOne();
    const pools = ['a', 'b', 'c', 'd'].map((workerId) => startWorker(workerId));
    const outcomes = await Promise.all(pools.flatMap((pool) => [pool.claim(ticket), pool.claim(ticket)]));
    expect(outcomes.filter((claimed) => claimed !== 'denied')).toHaveLength(1);
    expect(handlers.names).toEqual(['granted']);
  });

  it('is unreachable if the connection is refused, and the edge is forgotten', async () => {
    const { server, replyTo } = await startEdge();
    await server.close();
    const pool = startWorker();
    const ticket = { replyTo, requestId: newRequestId(), claimToken: TOKEN };
    expect(await pool.claim(ticket)).toBe('unreachable');
    expect(pool.edgeCount).toBe(0);
    expect(errors).toHaveLength(1);
  });

  it('is unreachable after the timeout if the edge never replies', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    closers.push(() => silent.close());
    const address = silent.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const pool = startWorker('worker-1', { timeoutMs: 50 });
    const ticket = { replyTo: `ws://127.0.0.1:${address.port}/relay`, requestId: newRequestId(), claimToken: TOKEN };
    expect(await pool.claim(ticket)).toBe('unreachable');
  });

  it('shares one socket with concurrent claims', async () => {
    const { server, replyTo } = await startEdge();
    const pool = startWorker();
    const tickets = Array.from({ length: 20 }, () => ({ replyTo, requestId: newRequestId(), claimToken: TOKEN }));
    for (const { requestId } of tickets) server.expect(requestId, TOKEN, new RecordedHandlers(), () => requestId);
    const claimed = await Promise.all(tickets.map((ticket) => mustClaim(pool, ticket)));
    expect(claimed.map((one) => one.takeBody().toString())).toEqual(tickets.map(({ requestId }) => requestId));
    expect(server.workerCount).toBe(1);
  });

  it('can deny a late grant, which counts as a lost worker', async () => {
    const { replyTo, handlers, requestId, server } = await expectOne();
    const socket = await openRaw(replyTo);
    socket.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken: TOKEN, workerId: 'raw' }));
    await handlers.untilCalled('granted');
    socket.send(encodeFrame(FRAME.deny, requestId));
    await handlers.untilCalled('lost');
    expect(server.expectedCount).toBe(0);
  });

  it('cannot be expected twice', async () => {
    const { server, requestId } = await expectOne();
    expect(() => server.expect(requestId, TOKEN, new RecordedHandlers(), () => '')).toThrow(requestId);
  });
});

/** Waits event loop iterations until a frame under way has its effect. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('backpressure from a slow client', () => {
  it('pauses the worker until the client reads again', async () => {
    const { claimed, waiting } = await claimOne();
    expect(claimed.ready()).toBeUndefined();
    waiting.pause();
    await until(() => claimed.ready() !== undefined);
    const ready = claimed.ready();
    waiting.resume();
    await ready;
    expect(claimed.ready()).toBeUndefined();
  });

  it('applies to a worker that claims after the pause', async () => {
    const { pool, ticket, waiting } = await expectOne();
    waiting.pause();
    const claimed = await mustClaim(pool, ticket);
    await until(() => claimed.ready() !== undefined);
    waiting.resume();
    await claimed.ready();
    expect(claimed.ready()).toBeUndefined();
  });

  it('ends when the edge cancels', async () => {
    const { claimed, waiting } = await claimOne();
    waiting.pause();
    await until(() => claimed.ready() !== undefined);
    const ready = claimed.ready();
    expect(waiting.cancel('slow_client')).toBe(true);
    await ready;
    expect(requestAbortReason(claimed.signal)).toBe('slow_client');
  });
});

describe('backpressure from a slow socket', () => {
  it('pauses the worker until the socket drains, and loses no data', async () => {
    const { claimed, handlers } = await claimOne();
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    let waits = 0;
    for (let count = 0; count < 24; count += 1) {
      claimed.data(megabyte);
      const ready = claimed.ready();
      if (ready !== undefined) waits += 1;
      await ready;
    }
    claimed.end({ costNanoUsd: '0' });
    await handlers.untilCalled('end');
    expect(waits).toBeGreaterThan(0);
    expect(handlers.chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBe(24 * megabyte.length);
  });
});

describe('cancel', () => {
  it('aborts the worker with the reason, and the edge still receives meter and end', async () => {
    const { claimed, waiting, handlers } = await claimOne();
    claimed.head({ status: 200, headers: {} });
    await handlers.untilCalled('head');
    expect(waiting.cancel('client_closed')).toBe(true);
    claimed.data(Buffer.from('on its way'));
    await until(() => claimed.signal.aborted);
    expect(requestAbortReason(claimed.signal)).toBe('client_closed');
    claimed.data(Buffer.from('dropped'));
    claimed.meter({ units: {}, inputTokensTotal: 0, isEstimated: true });
    claimed.end({ costNanoUsd: '7' });
    await handlers.untilCalled('end');
    expect(handlers.names).toEqual(['granted', 'head', 'meter', 'end']);
  });

  it('before a claim returns false and denies later claims', async () => {
    const { pool, ticket, waiting } = await expectOne();
    expect(waiting.cancel('deadline')).toBe(false);
    expect(await pool.claim(ticket)).toBe('denied');
  });

  it('during the transfer of the body returns false', async () => {
    const { pool, ticket, waiting, handlers } = await expectOne(Buffer.alloc(64 * 1024 * 1024));
    const claim = pool.claim(ticket);
    await handlers.untilCalled('granted');
    expect(waiting.cancel('client_closed')).toBe(false);
    expect(await claim).toBe('denied');
    expect(handlers.names).toEqual(['granted']);
  });

  it('after the end does nothing', async () => {
    const { claimed, waiting, handlers } = await claimOne();
    claimed.end({ costNanoUsd: '1' });
    await handlers.untilCalled('end');
    waiting.cancel('client_closed');
    waiting.pause();
    waiting.release();
    expect(claimed.signal.aborted).toBe(false);
  });
});

describe('a client that leaves a request that completes', () => {
  it('reports it to the worker and no longer paces it, and the edge still receives the response', async () => {
    const { claimed, waiting, handlers } = await claimOne();
    waiting.pause();
    await until(() => claimed.ready() !== undefined);
    expect(waiting.leave(true)).toBe(true);
    await until(() => claimed.left.aborted);
    expect([claimed.ready(), claimed.signal.aborted]).toEqual([undefined, false]);
    claimed.head({ status: 200, headers: {} });
    claimed.data(Buffer.from('late'));
    claimed.end({ costNanoUsd: '7' });
    await handlers.untilCalled('end');
    expect(handlers.names).toEqual(['granted', 'head', 'data', 'end']);
  });

  it('sends no unwanted data, but meter and end', async () => {
    const { claimed, waiting, handlers } = await claimOne();
    waiting.leave(false);
    await until(() => claimed.left.aborted);
    claimed.data(Buffer.from('late'));
    claimed.meter({ units: {}, inputTokensTotal: 0, isEstimated: true });
    claimed.end({ costNanoUsd: '7' });
    await handlers.untilCalled('end');
    expect(handlers.names).toEqual(['granted', 'meter', 'end']);
  });

  it('can still be cancelled, such as by an edge that restarts', async () => {
    const { claimed, waiting } = await claimOne();
    waiting.leave(false);
    expect(waiting.cancel('edge_draining')).toBe(true);
    await until(() => claimed.signal.aborted);
    expect(requestAbortReason(claimed.signal)).toBe('edge_draining');
  });

  it('returns false if no worker has the complete request', async () => {
    const unclaimed = await expectOne();
    expect(unclaimed.waiting.leave(true)).toBe(false);
    const { pool, ticket, waiting, handlers } = await expectOne(Buffer.alloc(64 * 1024 * 1024));
    const claim = pool.claim(ticket);
    await handlers.untilCalled('granted');
    expect(waiting.leave(true)).toBe(false);
    expect(waiting.cancel('client_closed')).toBe(false);
    expect(await claim).toBe('denied');
  });
});

describe('a lost connection', () => {
  it('to a worker calls onWorkerLost for each of its requests and no other', async () => {
    const { server, replyTo } = await startEdge();
    const socket = await openRaw(replyTo);
    const [mine, alsoMine, other] = [new RecordedHandlers(), new RecordedHandlers(), new RecordedHandlers()];
    const ids = [mine, alsoMine, other].map((handlers) => {
      const requestId = newRequestId();
      server.expect(requestId, TOKEN, handlers, () => '');
      return requestId;
    });
    for (const requestId of ids.slice(0, 2)) {
      socket.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken: TOKEN, workerId: 'raw' }));
    }
    const claimed = await mustClaim(startWorker(), { replyTo, requestId: ids[2] as string, claimToken: TOKEN });
    await alsoMine.untilCalled('granted');
    socket.terminate();
    await Promise.all([mine.untilCalled('lost'), alsoMine.untilCalled('lost')]);
    claimed.end({ costNanoUsd: '0' });
    await other.untilCalled('end');
    expect(other.names).toEqual(['granted', 'end']);
    expect(server.expectedCount).toBe(0);
  });

  it('to a silent worker is detected by missing heartbeats', async () => {
    const { server, replyTo } = await startEdge(100);
    const handlers = new RecordedHandlers();
    const requestId = newRequestId();
    server.expect(requestId, TOKEN, handlers, () => '');
    const { webSocket, tcpSocket } = await openSocket(replyTo, signRelayCredential(SECRET, 'w', Date.now()), 20_000);
    closers.push(() => webSocket.terminate());
    webSocket.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken: TOKEN, workerId: 'w' }));
    await handlers.untilCalled('granted');
    tcpSocket.pause();
    await handlers.untilCalled('lost');
    expect(server.workerCount).toBe(0);
  });

  it('to an edge aborts its requests and resolves a waiting writer', async () => {
    const { claimed, server, pool, waiting, handlers } = await claimOne();
    waiting.pause();
    await until(() => claimed.ready() !== undefined);
    const ready = claimed.ready();
    await server.close();
    await ready;
    expect(requestAbortReason(claimed.signal)).toBe('edge_lost');
    expect(handlers.names).toEqual(['granted', 'lost']);
    expect(pool.edgeCount).toBe(0);
    claimed.end({ costNanoUsd: '0' });
  });

  it('of an idle socket is replaced on demand', async () => {
    const { server, replyTo } = await startEdge();
    const pool = startWorker('worker-1', { idleMs: 20 });
    for (let round = 0; round < 2; round += 1) {
      const requestId = newRequestId();
      const handlers = new RecordedHandlers();
      server.expect(requestId, TOKEN, handlers, () => '');
      (await mustClaim(pool, { replyTo, requestId, claimToken: TOKEN })).end({ costNanoUsd: '0' });
      await handlers.untilCalled('end');
      await until(() => server.workerCount === 0);
    }
    expect(pool.edgeCount).toBe(0);
  });
});

describe('a large body', () => {
  it('arrives whole while short requests overtake it on the same socket', async () => {
    const { server, replyTo } = await startEdge();
    const pool = startWorker();
    const body = Buffer.from(Array.from({ length: 5 * 1024 * 1024 }, (_, index) => (index * 31) % 251));
    const order: string[] = [];
    const claimBody = async (name: string, content: Uint8Array) => {
      const requestId = newRequestId();
      server.expect(requestId, TOKEN, new RecordedHandlers(), () => content);
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
  it('cannot send frames of a request that another worker claimed', async () => {
    const { claimed, replyTo, requestId, handlers } = await claimOne();
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
    await handlers.untilCalled('end');
    expect(handlers.events).toEqual([
      ['granted', 'worker-1'],
      ['end', { costNanoUsd: '1' }],
    ]);
  });

  it.each([
    ['an empty message', Buffer.alloc(0)],
    ['an unknown frame type', Buffer.concat([Buffer.from([99]), Buffer.alloc(40)])],
    ['a frame that only an edge sends', encodeFrame(FRAME.grant, newRequestId())],
    ['a claim that is not JSON', encodeFrame(FRAME.claim, newRequestId(), Buffer.from('{'))],
    ['text', 'hello'],
    ['a message above the limit', Buffer.alloc(5 * 1024 * 1024)],
  ])('is closed if it sends %s, and the server continues', async (_what, message) => {
    const { claimed, handlers, replyTo } = await claimOne();
    const socket = await openRaw(replyTo);
    socket.on('error', (error) => errors.push(error));
    socket.send(message);
    await once(socket, 'close');
    claimed.end({ costNanoUsd: '1' });
    await handlers.untilCalled('end');
    expect(errors.length).toBeGreaterThan(0);
  });

  it('loses its own request if it breaks the protocol', async () => {
    const { replyTo, handlers, requestId } = await expectOne();
    const socket = await openRaw(replyTo);
    socket.send(encodeJsonFrame(FRAME.claim, requestId, { claimToken: TOKEN, workerId: 'raw' }));
    socket.send(encodeJsonFrame(FRAME.head, requestId, { status: 'fine' }));
    await handlers.untilCalled('lost');
    expect(handlers.names).toEqual(['granted', 'lost']);
  });
});

describe('a handler that throws', () => {
  it('is reported, and other requests of the socket continue', async () => {
    const { server, replyTo } = await startEdge();
    const pool = startWorker();
    const [bad, good] = [newRequestId(), newRequestId()];
    const handlers = new RecordedHandlers();
    const throwing = Object.assign(new RecordedHandlers(), {
      onData: () => {
        throw new Error('a fault of the edge');
      },
    });
    server.expect(bad, TOKEN, throwing, () => '');
    server.expect(good, TOKEN, handlers, () => '');
    (await mustClaim(pool, { replyTo, requestId: bad, claimToken: TOKEN })).data(Buffer.from('x'));
    (await mustClaim(pool, { replyTo, requestId: good, claimToken: TOKEN })).end({ costNanoUsd: '0' });
    await handlers.untilCalled('end');
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

  it('requires the shared secret', async () => {
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

  it('is the only request that the listener accepts', async () => {
    const { replyTo } = await startEdge();
    const response = await fetch(replyTo.replace('ws:', 'http:'), { headers: { connection: 'close' } });
    expect(response.status).toBe(426);
  });

  it('accepts both configured secrets, and no other', async () => {
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

  it('rejects a short secret at construction', () => {
    const options = { secret: 'short', onError: () => undefined };
    expect(() => new RelayServer({ ...options, host: '127.0.0.1', port: 0 })).toThrow('32 characters');
    const second = { secret: SECRET, otherSecrets: ['short'], host: '127.0.0.1', port: 0, onError: () => undefined };
    expect(() => new RelayServer(second)).toThrow('32 characters');
    expect(() => new RelayPool({ ...options, workerId: 'w' })).toThrow('32 characters');
  });
});
