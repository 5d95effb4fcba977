import { connectSubscriber } from '../connection/connect-subscriber.js';
import { type RedisKeys, redisKeys } from '../keys.js';

export interface InvalidationSubscription {
  /** Resolves with the first successful subscription. */
  readonly ready: Promise<void>;
  close(): void;
}

export interface InvalidationSubscriber {
  readonly url: string;
  /** The keys that have changed, or `all` after an outage: what was published meanwhile nobody knows. */
  readonly onInvalidated: (keySha256: readonly string[] | 'all') => void;
  readonly onError: (error: Error) => void;
  readonly keys?: RedisKeys;
}

/** Listens on a connection of its own, for ever: after each reconnect it subscribes again and then says `all`. */
export function subscribeInvalidations(subscriber: InvalidationSubscriber): InvalidationSubscription {
  const { invalidatedKeys } = subscriber.keys ?? redisKeys();
  const redis = connectSubscriber(subscriber.url, subscriber.onError);
  // Subscribing again is done below, so that `all` is said when messages arrive again and not before.
  redis.options.autoResubscribe = false;
  redis.on('message', (_channel, message) => {
    subscriber.onInvalidated(parseKeys(message));
  });
  let isFirst = true;
  const ready = new Promise<void>((resolve) => {
    redis.on('ready', () => {
      redis.subscribe(invalidatedKeys).then(() => {
        if (!isFirst) subscriber.onInvalidated('all');
        isFirst = false;
        resolve();
      }, subscriber.onError);
    });
  });
  return { ready, close: () => redis.disconnect() };
}

/** A message that cannot be read may have named any key. */
function parseKeys(message: string): readonly string[] | 'all' {
  try {
    const keys: unknown = JSON.parse(message);
    return Array.isArray(keys) && keys.every((key) => typeof key === 'string') ? keys : 'all';
  } catch {
    return 'all';
  }
}
