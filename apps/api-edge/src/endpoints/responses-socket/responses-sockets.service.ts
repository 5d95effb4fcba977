import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { ENDPOINTS } from '@gateway/contracts';
import { withTimeout } from '@gateway/observability';
import { ClientSockets } from '@gateway/relay';
import { Injectable } from '@nestjs/common';
import { type InnerRequest, sendInner } from './inner-request.js';
import { ResponsesSocket } from './responses-socket.js';

const { path: PATH, bodyLimitBytes } = ENDPOINTS.responses;
/** A key that may be used gets this for GET: the method is wrong, and nothing else. */
const AUTHENTICATED = 405;
const MAX_AGE_MS = 60 * 60 * 1_000;
/** An idle socket costs memory only, so a key may have many. */
const MAX_PER_KEY = 200;
const CHECK_TIMEOUT_MS = 10_000;

/** Headers of the handshake that each request of the socket repeats. */
const FORWARDED = /^(authorization|x-api-key|x-forwarded-for|forwarded|host|user-agent|origin|traceparent)$/;

/** The WebSockets of `/v1/responses`. Every message becomes a request of its own, with the key of the handshake. */
@Injectable()
export class ResponsesSockets {
  readonly #sockets = new ClientSockets(bodyLimitBytes);
  readonly #open = new Set<ResponsesSocket>();
  readonly #countByKey = new Map<string, number>();
  #onEmpty: (() => void) | undefined;

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
    const refusal = await this.#check(server, base).catch(() => unavailable());
    if (refusal !== undefined) {
      socket.end(refusal);
      return;
    }
    const key = String(base.headers.authorization ?? base.headers['x-api-key']);
    this.#countByKey.set(key, this.#countOf(key) + 1);
    socket.once('close', () => this.#remove(key));
    this.#sockets.accept(request, socket, head, (opened) => {
      const headers = { ...base.headers, 'content-type': 'application/json' };
      const served: ResponsesSocket = new ResponsesSocket(
        opened,
        (body) => sendInner(server, { ...base, method: 'POST', headers, body }),
        () => {
          clearTimeout(timer);
          this.#open.delete(served);
          if (this.#open.size === 0) this.#onEmpty?.();
        },
      );
      const timer = setTimeout(() => served.expire(), MAX_AGE_MS);
      timer.unref();
      this.#open.add(served);
      return served;
    });
  }

  /** The HTTP response that refuses a handshake. Undefined: the key may be used. */
  async #check(server: Server, base: Omit<InnerRequest, 'method'>): Promise<string | undefined> {
    const key = String(base.headers.authorization ?? base.headers['x-api-key']);
    if (this.#countOf(key) >= MAX_PER_KEY) return refusalOf(429, `This key has ${MAX_PER_KEY} sockets open.`);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = sendInner(server, { ...base, method: 'GET' });
    sent.once('response', resolve).once('error', reject);
    const response = await withTimeout(promise, CHECK_TIMEOUT_MS, () => {
      sent.destroy();
      throw new Error('the check of a key took too long');
    });
    const body = (await response.setEncoding('utf8').toArray()).join('');
    return response.statusCode === AUTHENTICATED ? undefined : rawResponse(response.statusCode ?? 503, body);
  }

  #countOf(key: string): number {
    return this.#countByKey.get(key) ?? 0;
  }

  #remove(key: string): void {
    const count = this.#countOf(key) - 1;
    if (count <= 0) this.#countByKey.delete(key);
    else this.#countByKey.set(key, count);
  }
}

const forwardedHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => FORWARDED.test(name)));

const rawResponse = (status: number, body: string): string =>
  [
    `HTTP/1.1 ${status} Refused`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');

const refusalOf = (status: number, message: string): string =>
  rawResponse(
    status,
    JSON.stringify({ error: { message, type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' } }),
  );

const unavailable = (): string =>
  rawResponse(
    503,
    JSON.stringify({
      error: {
        message: 'The service is not available right now, try again shortly.',
        type: 'server_error',
        param: null,
        code: 'service_unavailable',
      },
    }),
  );
