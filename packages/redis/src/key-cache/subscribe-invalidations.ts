import { connectSubscriber } from '../connection/connect-subscriber.js';
import { type RedisKeys, redisKeys } from '../keys.js';

export interface InvalidationSubscription {
  /** Resolves with the first successful subscription. */
  readonly ready: Promise<void>;
  close(): void;
}

export interface InvalidationSubscriber {
  readonly url: string;
  /** The changed keys, or `all` after an outage: messages published meanwhile are lost. */
  readonly onInvalidated: (keySha256: readonly string[] | 'all') => void;
  readonly onError: (error: Error) => void;
  readonly keys?: RedisKeys;
}

/** Subscribes on a separate connection until `close`. After each reconnect it subscribes again, then reports `all`. */
export function subscribeInvalidations(subscriber: InvalidationSubscriber): InvalidationSubscription {
  const { invalidatedKeys } = subscriber.keys ?? redisKeys();
  const redis = connectSubscriber(subscriber.url, subscriber.onError);
  // Subscribes again below, so that `all` is reported only once messages arrive again.
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

/** A malformed message may have named any key. */
function parseKeys(message: string): readonly string[] | 'all' {
  try {
    const keys: unknown = JSON.parse(message);
    return Array.isArray(keys) && keys.every((key) => typeof key === 'string') ? keys : 'all';
  } catch {
    return 'all';
  }
}
