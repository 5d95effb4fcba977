import { Redis } from 'ioredis';
import { readRedisAddress } from './redis-address.js';
import { retryDelayMs, serverOptions } from './socket-options.js';

/**
 * A connection to hear what is published. In a cluster every node says what was published at any of them, so it is to one
 * node, and to the next one when that is lost: unlike the library's own, it can be told when something may have been missed.
 */
export function connectSubscriber(url: string, onError: (error: Error) => void): Redis {
  const redis = subscriberOf(url);
  redis.on('error', onError);
  return redis;
}

function subscriberOf(url: string): Redis {
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
