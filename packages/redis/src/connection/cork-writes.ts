import type { Redis } from 'ioredis';

/**
 * Writes all commands of one event loop iteration at once, to save system calls. The library's auto-pipelining would make
 * later commands wait for the replies of the pipeline under way.
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
