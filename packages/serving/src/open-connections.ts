import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';

/**
 * What each answer asks of clients: to use a connection no more after so long a rest. Most libraries do as they are asked, or
 * rest no longer by themselves. What stands before us knows its own time, and is given more.
 */
const ASKED_REST_S = 5;
/** How long nothing has come on a connection that is ended by us: longer than that, and short beside any grace. */
export const IDLE_CONNECTION_MS = 6_000;
const LOOK_EVERY_MS = 50;

interface OpenConnection {
  readonly running: Set<ServerResponse>;
  quietSinceMs: number;
  bytesRead: number;
  /** At the look before. */
  wasQuiet: boolean;
}

const sayThatItIsTheLast = (response: ServerResponse): void => {
  if (response.headersSent) return;
  response.removeHeader('keep-alive');
  response.setHeader('connection', 'close');
};

/**
 * Lets clients go when a process ends, none of them in the middle of a request. Behind a balancer of connections a client
 * keeps the one it has, and may send its next request in the very moment in which an idle connection is closed: it then has
 * an error of which it cannot know whether it was charged. So every answer from then on says that it is the connection's last,
 * and a connection is closed by us only after nothing has come on it for a while.
 */
export class OpenConnections {
  readonly #open = new Map<Socket, OpenConnection>();
  #isEnding = false;

  constructor(
    private readonly server: Server,
    private readonly quietMs = IDLE_CONNECTION_MS,
  ) {
    server.on('connection', (socket) => {
      this.#open.set(socket, { running: new Set(), quietSinceMs: Date.now(), bytesRead: 0, wasQuiet: false });
      socket.once('close', () => this.#open.delete(socket));
    });
    server.prependListener('request', (request, response) => this.#begin(request, response));
  }

  /** Takes no more connections and resolves when the last one is gone, or after `withinMs`. Requests that come are served. */
  async end(withinMs: number): Promise<void> {
    this.#isEnding = true;
    // Not the server's own `close`, which ends at once whatever is idle.
    Listener.prototype.close.call(this.server);
    const now = Date.now();
    for (const connection of this.#open.values()) {
      for (const response of connection.running) sayThatItIsTheLast(response);
      connection.quietSinceMs = now;
    }
    const untilMs = now + withinMs;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = setInterval(() => {
      this.#closeQuiet();
      if (this.#open.size === 0 || Date.now() >= untilMs) resolve();
    }, LOOK_EVERY_MS);
    await promise;
    clearInterval(look);
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (connection === undefined) return;
    connection.running.add(response);
    if (this.#isEnding) sayThatItIsTheLast(response);
    else if (response.shouldKeepAlive) response.setHeader('keep-alive', `timeout=${ASKED_REST_S}`);
    response.once('close', () => {
      connection.running.delete(response);
      connection.quietSinceMs = Date.now();
    });
  }

  /**
   * Whoever is quiet at two looks in a row: between them this process has read what had arrived, for which it may have had no
   * time before.
   */
  #closeQuiet(): void {
    const now = Date.now();
    for (const [socket, connection] of this.#open) {
      if (socket.bytesRead !== connection.bytesRead) {
        connection.bytesRead = socket.bytesRead;
        connection.quietSinceMs = now;
      }
      const isQuiet = connection.running.size === 0 && now - connection.quietSinceMs >= this.quietMs;
      if (isQuiet && connection.wasQuiet) socket.destroySoon();
      connection.wasQuiet = isQuiet;
    }
  }
}
