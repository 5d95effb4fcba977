import { Redis } from 'ioredis';

/**
 * A client that writes all commands of one turn of the event loop at once. The library's own pipelining keeps a single
 * pipeline under way, so that later commands wait for its replies; this only saves system calls.
 */
export class CorkedRedis extends Redis {
  #isCorked = false;

  override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>): unknown {
    this.#cork();
    return super.sendCommand(command, stream);
  }

  #cork(): void {
    const socket = this.stream;
    if (this.#isCorked || socket === undefined || socket === null || socket.destroyed) return;
    this.#isCorked = true;
    socket.cork();
    setImmediate(() => {
      this.#isCorked = false;
      socket.uncork();
    });
  }
}
