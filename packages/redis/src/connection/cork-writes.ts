import type { Redis } from 'ioredis';

/**
 * Writes all commands of one turn of the event loop at once. The library's own pipelining keeps a single pipeline under
 * way, so that later commands wait for its replies; this only saves system calls.
 */
export function corkWrites<Connection extends Redis>(redis: Connection): Connection {
  let isCorked = false;
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    const { stream: socket } = redis;
    if (!isCorked && socket !== undefined && socket !== null && !socket.destroyed) {
      isCorked = true;
      socket.cork();
      setImmediate(() => {
        isCorked = false;
        socket.uncork();
      });
    }
    return send(command, stream);
  };
  return redis;
}
