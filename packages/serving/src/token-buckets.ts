import { LRUCache } from 'lru-cache';
import { atMost } from './at-most.js';

export interface BucketSize {
  /** Tokens of a full bucket. */
  readonly capacity: number;
  readonly perSecond: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Buckets of this process that are not full. Beyond this number the least recently used ones count as full. */
const MAX_BUCKETS = 50_000;

/** A token bucket for each name, in this process. A name that never took tokens costs no memory. */
export class TokenBuckets {
  readonly #buckets = new LRUCache<string, Bucket>(atMost(MAX_BUCKETS));

  constructor(
    private readonly size: BucketSize,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Milliseconds until the bucket has a token; 0 if it has one. Takes none. */
  waitMs(name: string): number {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return 0;
    const tokens = this.#refill(bucket);
    if (tokens >= this.size.capacity) this.#buckets.delete(name);
    return tokens > 0 ? 0 : Math.ceil((1_000 * (1 - tokens)) / this.size.perSecond);
  }

  /** Takes tokens, or gives them back if `tokens` is negative. The debt of a bucket is at most its capacity. */
  take(name: string, tokens: number): void {
    const bucket = this.#buckets.get(name) ?? { tokens: this.size.capacity, atMs: this.nowMs() };
    bucket.tokens = Math.max(-this.size.capacity, this.#refill(bucket) - tokens);
    this.#buckets.set(name, bucket);
  }

  #refill(bucket: Bucket): number {
    const nowMs = this.nowMs();
    const refilled = bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * this.size.perSecond;
    bucket.tokens = Math.min(this.size.capacity, refilled);
    bucket.atMs = nowMs;
    return bucket.tokens;
  }
}
