import { Redis } from 'ioredis';
import { readRedisAddress } from './redis-address.js';
import { retryDelayMs, serverOptions } from './socket-options.js';

/**
 * A connection for subscriptions. A cluster's node delivers what was published at any node, so one node is enough; after a
 * loss it connects to the next. Unlike the library's cluster subscriber, it emits `ready` after each reconnect.
 */
export function connectSubscriber(url: string, onError: (error: Error) => void): Redis {
  const redis = openSubscriber(url);
  redis.on('error', onError);
  return redis;
}

function openSubscriber(url: string): Redis {
  const address = readRedisAddress(url);
  if (address.kind === 'server') return new Redis(address.url, serverOptions('blocking'));
  const { nodes, credentials, isEncrypted } = address;
  const redis: Redis = new Redis({
    ...serverOptions('blocking'),
    ...credentials,
    ...(isEncrypted && { tls: {} }),
    ...nodes[0],
    retryStrategy(attempt: number) {
      Object.assign(redis.options, nodes[attempt % nodes.length]);
      return retryDelayMs(attempt);
    },
  });
  return redis;
}
