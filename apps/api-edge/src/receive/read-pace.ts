import { type AccountId, GatewayError } from '@gateway/contracts';
import { TokenBuckets } from '@gateway/serving';

/** A full bucket lasts for half a minute of reads at the rate that refills it. */
const BURST_SECONDS = 30;

/** How often one account may call this process without running a model: no admission limits such requests. */
export class ReadPace {
  readonly #buckets: TokenBuckets;

  constructor(perSecond: number, nowMs?: () => number) {
    this.#buckets = new TokenBuckets({ capacity: perSecond * BURST_SECONDS, perSecond }, nowMs);
  }

  /** Throws 429 if the account reads too often. */
  take(accountId: AccountId): void {
    const waitMs = this.#buckets.waitMs(accountId);
    if (waitMs > 0) throw tooOften(waitMs);
    this.#buckets.take(accountId, 1);
  }
}

const tooOften = (retryAfterMs: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'Your account reads too often. Wait for a moment, or follow events instead of polling.',
    { retryAfterMs },
  );
