import { GatewayError } from '@gateway/contracts';
import { TokenBuckets } from '@gateway/serving';

/** A program that starts agents makes many keys at once. */
const SIZE = { capacity: 600, perSecond: 20 };

/**
 * How many changes one person, or the keys of one account, may ask of this process. Each writes entries of the audit
 * log, which are kept for ever, and rows that stay after they have ended, such as those of keys.
 */
export class ChangePace {
  readonly #buckets: TokenBuckets;

  constructor(nowMs?: () => number) {
    this.#buckets = new TokenBuckets(SIZE, nowMs);
  }

  /** Throws 429 once the owner has asked for too many. */
  take(owner: string): void {
    const retryAfterMs = this.#buckets.waitMs(owner);
    if (retryAfterMs > 0) {
      throw new GatewayError('rate_limit_exceeded', 'Too many changes came at once. Wait for a moment.', {
        retryAfterMs,
      });
    }
    this.#buckets.take(owner, 1);
  }
}
