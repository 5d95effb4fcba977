import { setTimeout as pause } from 'node:timers/promises';
import { isGatewayError, type KeyRecord } from '@gateway/contracts';
import type { KeyReader as KeyStore } from '@gateway/postgres';
import type { KeyCache } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { KEY_STORE } from '../postgres-doors.js';
import { KEY_CACHE } from '../redis-doors.js';

/** A revoked key must be refused everywhere within five seconds, also if the published change is lost. */
const REMEMBERED_MS = 4_000;
const REMEMBERED_KEYS = 50_000;
/** While Postgres is away nobody can revoke a key there, and who revokes it elsewhere is heard: a failover is not noticed. */
const TRUSTED_WITHOUT_POSTGRES_MS = 10 * 60_000;
/** A Postgres whose machine is gone does not even refuse. */
const POSTGRES_PATIENCE_MS = 1_000;

type Known = { readonly key: KeyRecord | null };

/** SHA-256 of a key → what is known of it: this process, then Redis, then Postgres. */
@Injectable()
export class KeyReader {
  readonly #known = new LRUCache<string, Known>({ max: REMEMBERED_KEYS, ttl: REMEMBERED_MS });
  readonly #lastSeen = new LRUCache<string, KeyRecord>({ max: REMEMBERED_KEYS, ttl: TRUSTED_WITHOUT_POSTGRES_MS });
  #changes = 0;
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
    this.#changes += 1;
    if (keySha256 === 'all') {
      this.#known.clear();
      this.#lastSeen.clear();
    } else {
      for (const hash of keySha256) {
        this.#known.delete(hash);
        this.#lastSeen.delete(hash);
      }
    }
  }

  async #lookUp(keySha256: string): Promise<KeyRecord | null> {
    const changes = this.#changes;
    // Authentication outlives its cache: with Redis away, Postgres answers.
    const cached = await this.cache.get(keySha256).catch(() => undefined);
    if (cached !== undefined) return this.#learn(keySha256, cached, changes);
    const asked = this.store.findKeyBySha256(keySha256).then((key) => {
      this.#remember(keySha256, key);
      return this.#learn(keySha256, key, changes);
    });
    return this.#lastSeen.has(keySha256) ? this.#orAsSeenLast(keySha256, asked) : asked;
  }

  /** What was read before a change must not be believed for long after it. */
  #learn(keySha256: string, key: KeyRecord | null, changes: number): KeyRecord | null {
    this.#known.set(keySha256, { key });
    if (key === null) this.#lastSeen.delete(keySha256);
    else if (changes === this.#changes) this.#lastSeen.set(keySha256, key);
    return key;
  }

  /** And it outlives Postgres for a while: where that is away, or silent, a key is what it was. */
  async #orAsSeenLast(keySha256: string, asked: Promise<KeyRecord | null>): Promise<KeyRecord | null> {
    const silence = pause(POSTGRES_PATIENCE_MS, undefined, { ref: false });
    const answer = await Promise.race([asked.catch(ifAway), silence]);
    if (answer !== undefined) return answer;
    const key = this.#lastSeen.get(keySha256);
    if (key === undefined) return asked;
    this.#known.set(keySha256, { key });
    return key;
  }

  /** Redis is told on the side: a request does not wait for its cache, nor fail with it. */
  #remember(keySha256: string, key: KeyRecord | null): void {
    const stored = key === null ? this.cache.setAbsent(keySha256) : this.cache.set(key);
    stored.catch(() => undefined);
  }
}

function ifAway(error: unknown): undefined {
  if (!(isGatewayError(error) && error.code === 'service_unavailable')) throw error;
}
