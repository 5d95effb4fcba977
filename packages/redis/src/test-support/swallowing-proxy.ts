import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands before a Redis and can swallow what its connections carry, as a path that is gone: neither side hears of it. */
export class SwallowingProxy {
  readonly #open = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return `redis://127.0.0.1:${address.port}`;
  }

  static async before(port: number): Promise<SwallowingProxy> {
    const server = createServer();
    const proxy = new SwallowingProxy(server);
    server.on('connection', (near: Socket) => proxy.#join(near, connect(port, '127.0.0.1')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** Of the connections that are open now nothing comes through any more; new ones are as good as ever. */
  swallow(): void {
    for (const socket of this.#open) {
      socket.unpipe();
      socket.resume();
    }
  }

  close(): void {
    this.server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#open.delete(socket));
    }
    near.pipe(far).pipe(near);
  }
}
