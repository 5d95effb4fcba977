import { Redis } from 'ioredis';
import { readRedisAddress } from './redis-address.js';
import { retryDelayMs, serverOptions } from './socket-options.js';

/** Redis sends nothing to a silent channel, so only a reply shows that the connection still works. */
const PING_EVERY_MS = 15_000;

/**
 * A connection for subscriptions. It is closed if Redis does not reply to a ping before the next one: a broken network path
 * would leave it open for hours, without a message. A cluster's node delivers what was published at any node, so one node is enough; after a
 * loss it connects to the next. Unlike the library's cluster subscriber, it emits `ready` after each reconnect.
 */
export function connectSubscriber(
  url: string,
  onError: (error: Error) => void,
  pingEveryMs: number = PING_EVERY_MS,
): Redis {
  const redis = openSubscriber(url, { ...serverOptions('blocking'), socketTimeout: pingEveryMs });
  redis.on('error', onError);
  const pings = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => undefined);
  }, pingEveryMs);
  // One that is closed before it reconnects never ends, and must not keep its process.
  pings.unref();
  redis.once('end', () => clearInterval(pings));
  return redis;
}

type SubscriberOptions = ReturnType<typeof serverOptions>;

function openSubscriber(url: string, options: SubscriberOptions): Redis {
  const address = readRedisAddress(url);
  if (address.kind === 'server') return new Redis(address.url, options);
  const { nodes, credentials, isEncrypted } = address;
  const redis: Redis = new Redis({
    ...options,
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
