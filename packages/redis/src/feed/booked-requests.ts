import type { Redis } from 'ioredis';
import type { RedisConnection } from '../connection/connect-redis.js';
import { connectSubscriber } from '../connection/connect-subscriber.js';
import { type RedisKeys, redisKeys } from '../keys.js';

/** A request whose receipt is in the ledger now. */
export interface BookedRequest {
  readonly requestId: string;
  readonly accountId: string;
}

const SEPARATOR = ' ';

/**
 * Publishes the ids of booked requests, one message for each account. Best effort: rejects while Redis is away, and who
 * reads them also reads the receipts. A message to an account without readers costs Redis nothing.
 */
export async function publishBookedRequests(
  redis: RedisConnection,
  booked: readonly BookedRequest[],
  keys: RedisKeys = redisKeys(),
): Promise<void> {
  const byAccount = Map.groupBy(booked, ({ accountId }) => accountId);
  const messages = [...byAccount].map(([accountId, requests]) =>
    redis.publish(keys.bookedRequests(accountId), requests.map(({ requestId }) => requestId).join(SEPARATOR)),
  );
  await Promise.all(messages);
}

export interface BookedRequestsReader {
  readonly url: string;
  readonly onError: (error: Error) => void;
  readonly keys?: RedisKeys;
}

/** `null`: messages may have been lost. */
export type BookedRequestsListener = (requestIds: readonly string[] | null) => void;

/** Follows the booked requests of single accounts, over one connection that opens with the first follower. */
export class BookedRequestsFeed {
  readonly #keys: RedisKeys;
  readonly #listeners = new Map<string, Set<BookedRequestsListener>>();
  #redis: Redis | undefined;

  constructor(private readonly reader: BookedRequestsReader) {
    this.#keys = reader.keys ?? redisKeys();
  }

  /** Returns the function that ends it. The listener gets `null` once it follows, and after each outage. */
  follow(accountId: string, listener: BookedRequestsListener): () => void {
    const channel = this.#keys.bookedRequests(accountId);
    const listeners = this.#listeners.get(channel) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(channel, listeners);
    this.#subscribe(channel, () => listener(null));
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#listeners.get(channel) !== listeners) return;
      this.#listeners.delete(channel);
      this.#redis?.unsubscribe(channel).catch(this.reader.onError);
    };
  }

  close(): void {
    this.#redis?.disconnect();
  }

  #subscribe(channel: string, onSubscribed: () => void): void {
    const redis = this.#connected();
    // Otherwise the connection subscribes to all channels as soon as it is ready.
    if (redis.status === 'ready') redis.subscribe(channel).then(onSubscribed, this.reader.onError);
  }

  #connected(): Redis {
    if (this.#redis !== undefined) return this.#redis;
    const redis = connectSubscriber(this.reader.url, this.reader.onError);
    redis.options.autoResubscribe = false;
    redis.on('ready', () => this.#subscribeAll(redis));
    redis.on('message', (channel, message) => {
      const requestIds = message.split(SEPARATOR);
      for (const listener of this.#listeners.get(channel) ?? []) listener(requestIds);
    });
    this.#redis = redis;
    return redis;
  }

  #subscribeAll(redis: Redis): void {
    const channels = [...this.#listeners.keys()];
    if (channels.length === 0) return;
    redis.subscribe(...channels).then(() => {
      for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(null);
    }, this.reader.onError);
  }
}
