import { GatewayError, isGatewayError, type KeyRecord } from '@gateway/contracts';
import { withTimeout } from '@gateway/observability';
import type { KeyReader } from '@gateway/postgres';
import type { KeyCache } from '@gateway/redis';
import { atMost, networkOf, type TokenBuckets } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KEY_CACHE, KEY_READER, UNKNOWN_KEYS } from '../tokens.js';

/** A revoked key must be refused everywhere within five seconds, even if the published change is lost. */
const CACHE_TTL_MS = 4_000;
const MAX_KEYS = 50_000;
/** Bridges a failover of Postgres: keys cannot change while it is away, and published changes are still applied. */
const STALE_TTL_MS = 10 * 60_000;
/** A dead machine refuses no connection, so the drivers alone would wait longer. */
const REDIS_TIMEOUT_MS = 500;
/** For a key whose stale copy may serve. */
const STALE_AFTER_MS = 1_000;
const POSTGRES_TIMEOUT_MS = 3_000;

/** Finds a key by its SHA-256: in this process, then in Redis, then in Postgres. */
@Injectable()
export class KeyLookup {
  readonly #cached = new LRUCache<string, KeyRecord>({ ...atMost(MAX_KEYS), ttl: CACHE_TTL_MS });
  /** Apart from the keys that exist: who guesses keys must not push those out. */
  readonly #absent = new LRUCache<string, true>({ ...atMost(MAX_KEYS), ttl: CACHE_TTL_MS });
  readonly #stale = new LRUCache<string, KeyRecord>({ ...atMost(MAX_KEYS), ttl: STALE_TTL_MS });
  readonly #pending = new Map<string, Promise<KeyRecord | null>>();
  #changeCount = 0;

  constructor(
    @Inject(KEY_CACHE) private readonly cache: KeyCache,
    @Inject(KEY_READER) private readonly reader: KeyReader,
    @Inject(UNKNOWN_KEYS) private readonly unknownKeys: TokenBuckets,
  ) {}

  /**
   * Null if there is no such key. Concurrent lookups of one key share one query. Throws 429 if the client's address has
   * asked for too many keys that do not exist.
   */
  find(keySha256: string, address: string): KeyRecord | null | Promise<KeyRecord | null> {
    const cached = this.#cached.get(keySha256) ?? (this.#absent.has(keySha256) ? null : undefined);
    if (cached !== undefined) return cached;
    const pending = this.#pending.get(keySha256);
    if (pending !== undefined) return pending;
    const lookup = this.#lookUp(keySha256, address).finally(() => this.#pending.delete(keySha256));
    this.#pending.set(keySha256, lookup);
    return lookup;
  }

  /** Applies a published change: the next request reads the key again. */
  forget(keySha256: readonly string[] | 'all'): void {
    this.#changeCount += 1;
    if (keySha256 === 'all') {
      this.#cached.clear();
      this.#absent.clear();
      this.#stale.clear();
    } else {
      for (const hash of keySha256) {
        this.#cached.delete(hash);
        this.#absent.delete(hash);
        this.#stale.delete(hash);
      }
    }
  }

  async #lookUp(keySha256: string, address: string): Promise<KeyRecord | null> {
    const changeCount = this.#changeCount;
    // Authentication must work without Redis.
    const cached = await withTimeout(this.cache.get(keySha256), REDIS_TIMEOUT_MS, notCached).catch(notCached);
    if (cached !== undefined) return this.#remember(keySha256, cached, changeCount);
    const query = this.#query(keySha256, address).then((key) => {
      this.#fillCache(keySha256, key);
      return this.#remember(keySha256, key, changeCount);
    });
    return this.#stale.has(keySha256)
      ? this.#orStale(keySha256, query)
      : withTimeout(query, POSTGRES_TIMEOUT_MS, keysUnavailable);
  }

  /** Every lookup takes a token of its address before the query. Only a key that does not exist keeps it. */
  async #query(keySha256: string, address: string): Promise<KeyRecord | null> {
    if (this.#stale.has(keySha256)) return this.reader.findKeyBySha256(keySha256);
    const network = networkOf(address);
    const waitMs = this.unknownKeys.waitMs(network);
    if (waitMs > 0) {
      throw new GatewayError('rate_limit_exceeded', 'Too many unknown API keys came from your address.', {
        retryAfterMs: waitMs,
      });
    }
    this.unknownKeys.take(network, 1);
    let key: KeyRecord | null | undefined;
    try {
      key = await this.reader.findKeyBySha256(keySha256);
      return key;
    } finally {
      if (key !== null) this.unknownKeys.take(network, -1);
    }
  }

  /** A key that was read before a published change must not become the stale copy. */
  #remember(keySha256: string, key: KeyRecord | null, changeCount: number): KeyRecord | null {
    if (key === null) {
      this.#absent.set(keySha256, true);
      this.#cached.delete(keySha256);
      this.#stale.delete(keySha256);
      return null;
    }
    this.#absent.delete(keySha256);
    this.#cached.set(keySha256, key);
    if (changeCount === this.#changeCount) this.#stale.set(keySha256, key);
    return key;
  }

  /** Serves the stale copy if Postgres is unavailable or too slow. */
  async #orStale(keySha256: string, query: Promise<KeyRecord | null>): Promise<KeyRecord | null> {
    const found = await withTimeout(query.catch(undefinedIfAway), STALE_AFTER_MS, () => undefined);
    if (found !== undefined) return found;
    const key = this.#stale.get(keySha256);
    if (key === undefined) return query;
    this.#cached.set(keySha256, key);
    return key;
  }

  /** In the background: a request neither waits for the cache nor fails with it. */
  #fillCache(keySha256: string, key: KeyRecord | null): void {
    const stored = key === null ? this.cache.setAbsent(keySha256) : this.cache.set(key);
    stored.catch(() => undefined);
  }
}

const notCached = (): undefined => undefined;

function keysUnavailable(): never {
  throw new GatewayError('service_unavailable', 'Keys cannot be read right now; try again shortly.', {
    retryAfterMs: 1_000,
  });
}

function undefinedIfAway(error: unknown): undefined {
  if (!(isGatewayError(error) && error.code === 'service_unavailable')) throw error;
}
