import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { refuseConnection } from './refuse-connection.js';

/** `Keep-Alive` of each response: clients must not reuse a connection that was idle for this long. Most libraries comply. */
const KEEP_ALIVE_S = 5;
/** A shutdown closes connections that were idle for this long: longer than `Keep-Alive`, well below any grace time. */
export const IDLE_CONNECTION_MS = 6_000;
const CHECK_INTERVAL_MS = 50;

interface OpenConnection {
  readonly running: Set<ServerResponse>;
  idleSinceMs: number;
  bytesRead: number;
  /** At the previous check. */
  wasIdle: boolean;
}

/**
 * True of a body that its client does not send on. One that this process does not read has bytes in memory, or does not flow: its
 * client cannot send.
 */
const isStalled = ({ req: request, headersSent }: ServerResponse): boolean =>
  !headersSent && !request.complete && request.readableFlowing === true && request.readableLength === 0;

/** True if nothing happens until the client sends more. */
const isWaiting = ({ running }: OpenConnection): boolean => [...running].every(isStalled);

function close(socket: Socket, { running }: OpenConnection): void {
  if (running.size === 0) socket.destroySoon();
  else refuseConnection(Object.assign(new Error('body stalled'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
}

const announceClose = (response: ServerResponse): void => {
  if (response.headersSent) return;
  response.removeHeader('keep-alive');
  response.setHeader('connection', 'close');
};

/**
 * Closes the connections of a process that shuts down, none during a request. Behind a TCP load balancer, a client may
 * send a request just as its idle connection closes, and cannot know whether it was charged. So every response during the
 * shutdown announces the close, and idle connections stay open for a while. A body that stalls gets a 408, free.
 */
export class OpenConnections {
  readonly #open = new Map<Socket, OpenConnection>();
  #isEnding = false;

  constructor(
    private readonly server: Server,
    private readonly idleMs = IDLE_CONNECTION_MS,
  ) {
    server.on('connection', (socket) => {
      this.#open.set(socket, { running: new Set(), idleSinceMs: Date.now(), bytesRead: 0, wasIdle: false });
      socket.once('close', () => this.#open.delete(socket));
    });
    server.prependListener('request', (request, response) => this.#begin(request, response));
  }

  /** Accepts no new connections but serves the open ones. Resolves when the last one is closed, or after `withinMs`. */
  async end(withinMs: number): Promise<void> {
    this.#isEnding = true;
    // Not `http.Server.close`, which closes idle connections at once.
    Listener.prototype.close.call(this.server);
    const now = Date.now();
    for (const connection of this.#open.values()) {
      for (const response of connection.running) announceClose(response);
      connection.idleSinceMs = now;
    }
    const untilMs = now + withinMs;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setInterval(() => {
      this.#closeIdle();
      if (this.#open.size === 0 || Date.now() >= untilMs) resolve();
    }, CHECK_INTERVAL_MS);
    await promise;
    clearInterval(timer);
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return;
    connection.running.add(response);
    if (this.#isEnding) announceClose(response);
    else if (response.shouldKeepAlive) response.setHeader('keep-alive', `timeout=${KEEP_ALIVE_S}`);
    response.once('close', () => {
      connection.running.delete(response);
      connection.idleSinceMs = Date.now();
    });
  }

  /** Closes a connection that is idle at two checks in a row: a busy process reads requests that have arrived in between. */
  #closeIdle(): void {
    const now = Date.now();
    for (const [socket, connection] of this.#open) {
      if (socket.bytesRead !== connection.bytesRead) {
        connection.bytesRead = socket.bytesRead;
        connection.idleSinceMs = now;
      }
      const isIdle = now - connection.idleSinceMs >= this.idleMs && isWaiting(connection);
      if (isIdle && connection.wasIdle) close(socket, connection);
      connection.wasIdle = isIdle;
    }
  }
}
