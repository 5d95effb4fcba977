import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ENDPOINTS, GatewayError, hashApiKey, type KeyRecord, newRequestId } from '@gateway/contracts';
import { withTimeout } from '@gateway/observability';
import { type ClientSocket, type ClientSocketHandlers, ClientSockets } from '@gateway/relay';
import { rawRefusal, rawResponse } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import { KeyLookup } from '../../authenticate/key-lookup.service.js';
import { KEY_HEADERS, readCredential } from '../../authenticate/read-credential.js';
import type { FundsCheck } from '../../edge-request.js';
import { OpenCounts } from '../../http/open-counts.js';
import type { BodyRoom } from '../../receive/body-room.js';
import type { Refusals } from '../../receive/refusals.js';
import { BODY_ROOM, FUNDS_CHECK, REFUSALS } from '../../tokens.js';
import { ArrivingMessage } from './arriving-message.js';
import { HistoryMemory } from './history-memory.js';
import { type InnerRequest, sendInner } from './inner-request.js';
import { ResponsesSocket } from './responses-socket.js';

const { path: PATH, bodyLimitBytes } = ENDPOINTS.responses;
/** A key that may be used gets this for GET: the method is wrong, and nothing else. */
const AUTHENTICATED = 405;
const MAX_AGE_MS = 60 * 60 * 1_000;
/** An idle socket costs memory only, so a key may have many. */
const MAX_PER_KEY = 200;
/** Of all keys of an account. */
const MAX_PER_ACCOUNT = 500;
/** Of this process. */
const MAX_IN_ALL = 4_000;
/** Beyond it the places are kept for accounts with few sockets: else eight accounts could take all, which need no credit. */
const MAX_FOR_ALL = 3_700;
const FEW = 10;
const CHECK_TIMEOUT_MS = 10_000;
/** Sockets close rarely: an earlier attempt would find the same. */
const RETRY_AFTER_MS = 5_000;

/** Headers of the handshake that each request of the socket repeats. */
const FORWARDED: ReadonlySet<string> = new Set([
  'authorization',
  ...KEY_HEADERS,
  ...['x-forwarded-for', 'forwarded', 'host', 'user-agent', 'origin', 'traceparent'],
]);

/** Headers of a refused check that its handshake gets too. */
const OF_REFUSALS: ReadonlySet<string> = new Set([
  ...['content-type', 'x-request-id', 'www-authenticate'],
  ...['x-should-retry', 'retry-after', 'retry-after-ms'],
]);

/** The WebSockets of `/v1/responses`. Every message becomes a request of its own, with the key of the handshake. */
@Injectable()
export class ResponsesSockets {
  readonly histories = new HistoryMemory();
  readonly #sockets = new ClientSockets(bodyLimitBytes);
  readonly #open = new Set<ResponsesSocket>();
  /** Handshakes that were accepted and have not closed. */
  readonly #connected = new OpenCounts();
  readonly limit = MAX_IN_ALL;
  #onEmpty: (() => void) | undefined;

  constructor(
    private readonly keys: KeyLookup,
    @Inject(BODY_ROOM) private readonly room: BodyRoom,
    @Inject(FUNDS_CHECK) private readonly funds: FundsCheck,
    @Inject(REFUSALS) private readonly refusals: Refusals,
  ) {}

  get openCount(): number {
    return this.#open.size;
  }

  /** Serves the handshakes of a server whose upgrades are limited to them. */
  listen(server: Server): void {
    server.on('upgrade', (request, socket, head) => void this.#accept(server, request, socket, head));
  }

  /** Lets each socket end its response, then closes it. */
  async end(withinMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    for (const socket of this.#open) socket.end();
    await withTimeout(empty, withinMs, () => undefined);
  }

  /** The key is checked before the handshake, and again with each message. */
  async #accept(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const base = {
      path: PATH,
      headers: forwardedHeaders(request.headers),
      remoteAddress: request.socket.remoteAddress,
    };
    const key = await this.#check(server, base).catch(unavailable);
    if (typeof key === 'string') {
      socket.end(key);
      return;
    }
    // It left during the check: 'close' never comes.
    if (socket.destroyed) return;
    // Nothing may wait between limit and count, because handshakes of one key share a lookup and continue together.
    const excess = this.#excessOf(key);
    if (excess !== undefined) {
      socket.end(excess);
      return;
    }
    const owners = [key.keyId, key.accountId];
    this.#connected.add(owners);
    socket.once('close', () => this.#connected.remove(owners));
    this.#sockets.accept(request, socket, head, (opened) => this.#serve(server, base, { key, socket, opened }));
  }

  #serve(server: Server, base: InnerBase, { key, socket, opened }: AcceptedSocket): ClientSocketHandlers {
    const headers = { ...base.headers, 'content-type': 'application/json' };
    const arriving = new ArrivingMessage({
      open: (bytes) => this.room.open(key.accountId, 'memory', bytes),
      maySpend: () => this.funds.maySpend(key),
      refuse: (error) => served.refuse(error),
    });
    const served: ResponsesSocket = new ResponsesSocket(opened, {
      sendTurn: (body) => sendInner(server, { ...base, method: 'POST', headers, body }),
      onClosed: () => {
        clearTimeout(timer);
        arriving.end();
        this.#open.delete(served);
        if (this.#open.size === 0) this.#onEmpty?.();
      },
      takeMemory: (has, wants) => this.histories.exchange(key.accountId, has, wants),
      free: {
        check: () => this.refusals.check(key.keyId),
        count: (bytes) => this.refusals.countFree(key.keyId, bytes),
      },
    });
    const timer = setTimeout(() => served.expire(), MAX_AGE_MS);
    timer.unref();
    this.#open.add(served);
    // Before the reader of frames, which may end a message with these bytes.
    socket.prependListener('data', (bytes: Buffer) => arriving.receive(bytes.length));
    return {
      onMessage: (message) => {
        arriving.end();
        served.onMessage(message);
      },
      onClose: () => served.onClose(),
    };
  }

  /** The key, or the HTTP response that refuses its handshake. */
  async #check(server: Server, base: InnerBase): Promise<KeyRecord | string> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = sendInner(server, { ...base, method: 'GET' });
    sent.once('response', resolve).once('error', reject);
    const response = await withTimeout(promise, CHECK_TIMEOUT_MS, () => {
      sent.destroy();
      throw new Error('the check of a key took too long');
    });
    const body = (await response.setEncoding('utf8').toArray()).join('');
    const { statusCode = 503, headers } = response;
    if (statusCode !== AUTHENTICATED) return rawResponse(statusCode, refusalHeaders(headers), body);
    const key = await this.keys.find(hashApiKey(readCredential(base.headers) ?? ''), base.remoteAddress ?? '');
    return key ?? unavailable();
  }

  /** The HTTP response to a handshake beyond a limit. */
  #excessOf({ keyId, accountId }: KeyRecord): string | undefined {
    const ofAccount = this.#connected.of(accountId);
    if (this.#connected.total >= (ofAccount < FEW ? this.limit : MAX_FOR_ALL)) return unavailable();
    if (this.#connected.of(keyId) >= MAX_PER_KEY) return tooManySockets('key', MAX_PER_KEY);
    return ofAccount < MAX_PER_ACCOUNT ? undefined : tooManySockets('account', MAX_PER_ACCOUNT);
  }
}

type InnerBase = Omit<InnerRequest, 'method'>;

interface AcceptedSocket {
  readonly key: KeyRecord;
  readonly socket: Duplex;
  readonly opened: ClientSocket;
}

const forwardedHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => FORWARDED.has(name)));

const refusal = (code: 'rate_limit_exceeded' | 'service_unavailable', message: string): string =>
  rawRefusal(new GatewayError(code, message, { retryAfterMs: RETRY_AFTER_MS }), 'responses', newRequestId());

const tooManySockets = (owner: 'key' | 'account', limit: number): string =>
  refusal('rate_limit_exceeded', `This ${owner} has ${limit} sockets open.`);

const unavailable = (): string =>
  refusal('service_unavailable', 'The service is not available right now, try again shortly.');

/** What a response says about itself, and not about its connection. */
const refusalHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      OF_REFUSALS.has(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
