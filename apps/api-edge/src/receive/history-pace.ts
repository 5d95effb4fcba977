import { type AccountId, GatewayError } from '@gateway/contracts';
import { TokenBuckets } from '@gateway/serving';

const MEBIBYTE = 1024 * 1024;
/** Two histories of 8 MiB, which take their bytes twice. A longer one leaves a debt. */
const BURST_BYTES = 32 * MEBIBYTE;
/** Reading ten megabytes keeps the event loop busy for about a tenth of a second. */
const BYTES_PER_SECOND = 8 * MEBIBYTE;

/** How fast the requests of one account may load long histories: a request of a few bytes costs as much as its history. */
export class HistoryPace {
  readonly #buckets: TokenBuckets;

  constructor(nowMs?: () => number) {
    this.#buckets = new TokenBuckets({ capacity: BURST_BYTES, perSecond: BYTES_PER_SECOND }, nowMs);
  }

  /** Throws 429 if the account has loaded too much. */
  take(accountId: AccountId, bytes: number): void {
    const waitMs = this.#buckets.waitMs(accountId);
    if (waitMs > 0) throw tooFast(waitMs);
    this.#buckets.take(accountId, bytes);
  }
}

const tooFast = (retryAfterMs: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'Your account continues too many long histories, or reads too many long responses, at once. Wait for a moment.',
    {
      retryAfterMs,
    },
  );
