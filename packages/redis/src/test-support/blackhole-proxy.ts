import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy before a Redis that can drop all packets silently, as a broken network path does. */
export class BlackholeProxy {
  readonly #open = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
    return `redis://127.0.0.1:${address.port}`;
  }

  static async before(port: number): Promise<BlackholeProxy> {
    const server = createServer();
    const proxy = new BlackholeProxy(server);
    server.on('connection', (near: Socket) => proxy.#pipe(near, connect(port, '127.0.0.1')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** Drops all data of the open connections; new connections work. */
  blackhole(): void {
    for (const socket of this.#open) {
      socket.unpipe();
      socket.resume();
    }
  }

  close(): void {
    this.server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #pipe(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#open.delete(socket));
    }
    near.pipe(far).pipe(near);
  }
}
