import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';

/** Longer than most clients rest between two requests, and short beside any grace. */
const QUIET_MS = 2_000;
const LOOK_EVERY_MS = 50;

interface OpenConnection {
  readonly running: Set<ServerResponse>;
  quietSinceMs: number;
}

const sayThatItIsTheLast = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('connection', 'close');
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
    private readonly quietMs = QUIET_MS,
  ) {
    server.on('connection', (socket) => {
      this.#open.set(socket, { running: new Set(), quietSinceMs: Date.now() });
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
    response.once('close', () => {
      connection.running.delete(response);
      connection.quietSinceMs = Date.now();
    });
  }

  #closeQuiet(): void {
    const now = Date.now();
    for (const [socket, { running, quietSinceMs }] of this.#open)
      if (running.size === 0 && now - quietSinceMs >= this.quietMs) socket.destroySoon();
  }
}
