import type { KeyRecord } from '@gateway/contracts';
import type { KeyDirectory as KeyStore } from '@gateway/postgres';
import type { KeyCache } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KEY_STORE } from '../postgres-doors.js';
import { KEY_CACHE } from '../redis-doors.js';

/** A revoked key must be refused everywhere within five seconds, also if the published change is lost. */
const REMEMBERED_MS = 4_000;
const REMEMBERED_KEYS = 50_000;

type Known = { readonly key: KeyRecord | null };

/** SHA-256 of a key → what is known of it: this process, then Redis, then Postgres. */
@Injectable()
export class KeyDirectory {
  readonly #known = new LRUCache<string, Known>({ max: REMEMBERED_KEYS, ttl: REMEMBERED_MS });
  readonly #underWay = new Map<string, Promise<KeyRecord | null>>();

  constructor(
    @Inject(KEY_CACHE) private readonly cache: KeyCache,
    @Inject(KEY_STORE) private readonly store: KeyStore,
  ) {}

  /** Null: there is no such key. One lookup at a time for each key, however many requests ask. */
  find(keySha256: string): KeyRecord | null | Promise<KeyRecord | null> {
    const known = this.#known.get(keySha256);
    if (known !== undefined) return known.key;
    const underWay = this.#underWay.get(keySha256);
    if (underWay !== undefined) return underWay;
    const lookup = this.#lookUp(keySha256).finally(() => this.#underWay.delete(keySha256));
    this.#underWay.set(keySha256, lookup);
    return lookup;
  }

  /** A published change: the next request asks again. */
  forget(keySha256: readonly string[] | 'all'): void {
    if (keySha256 === 'all') this.#known.clear();
    else for (const hash of keySha256) this.#known.delete(hash);
  }

  async #lookUp(keySha256: string): Promise<KeyRecord | null> {
    // Authentication outlives its cache: with Redis away, Postgres answers.
    const cached = await this.cache.get(keySha256).catch(() => undefined);
    const key = cached === undefined ? await this.store.findKeyBySha256(keySha256) : cached;
    if (cached === undefined) this.#remember(keySha256, key);
    this.#known.set(keySha256, { key });
    return key;
  }

  /** Redis is told on the side: a request does not wait for its cache, nor fail with it. */
  #remember(keySha256: string, key: KeyRecord | null): void {
    const stored = key === null ? this.cache.setAbsent(keySha256) : this.cache.set(key);
    stored.catch(() => undefined);
  }
}
