import type { AccountId } from '@gateway/contracts';
import { TokenBuckets } from '@gateway/serving';

const SHORTEST_MS = 1_000;
/** A client waits longer for a response than that. */
const LONGEST_MORE_MS = 10_000;
/** Pauses of an account that end in one second, over a longer time. */
const PER_SECOND = 20;

/**
 * How long a refusal is held back. With every connection of an account that sends again and again the pauses get longer, so
 * that hundreds of connections take no more work than a few.
 */
export class RefusalPauses {
  readonly #buckets: TokenBuckets;

  constructor(nowMs?: () => number) {
    const capacity = (PER_SECOND * LONGEST_MORE_MS) / 1_000;
    this.#buckets = new TokenBuckets({ capacity, perSecond: PER_SECOND }, nowMs);
  }

  /** Milliseconds: 1,000 at first, at most about 11,000. */
  next(accountId: AccountId): number {
    this.#buckets.take(accountId, 1);
    return SHORTEST_MS + this.#buckets.waitMs(accountId);
  }
}
