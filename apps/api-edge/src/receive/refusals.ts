import { ERRORS, type ErrorCode, GatewayError, type KeyId } from '@gateway/contracts';
import { networkOf, TokenBuckets } from '@gateway/serving';

/** Statuses of requests that cost us work and their client nothing. */
const COUNTED_STATUSES: ReadonlySet<number> = new Set([400, 402, 413, 429]);
/** A refused body of this many bytes costs as much as one more refusal. */
const BYTES_PER_TOKEN = 64 * 1024;
/** A full bucket lasts for half a minute of refusals at the rate that refills it. */
const BURST_SECONDS = 30;
/** An address may belong to many customers. */
export const ADDRESS_FACTOR = 4;

/** Counts refused requests by key and by address, so that who exceeds the rate is refused before a body is read. */
export class Refusals {
  readonly #byKey: TokenBuckets;
  readonly #byAddress: TokenBuckets;

  /** `perSecond`: the refusals of one key that this process answers, over a longer time. */
  constructor(perSecond: number, nowMs?: () => number) {
    const bucketsOf = (rate: number) => new TokenBuckets({ capacity: rate * BURST_SECONDS, perSecond: rate }, nowMs);
    this.#byKey = bucketsOf(perSecond);
    this.#byAddress = bucketsOf(perSecond * ADDRESS_FACTOR);
  }

  /** Throws 429 if the key or its address has had too many refusals. Without an address the key alone counts. */
  check(keyId: KeyId, address?: string): void {
    const waitOfAddressMs = address === undefined ? 0 : this.#byAddress.waitMs(networkOf(address));
    const waitMs = Math.max(this.#byKey.waitMs(keyId), waitOfAddressMs);
    if (waitMs === 0) return;
    throw new GatewayError(
      'rate_limit_exceeded',
      'Too many of your requests were refused. Correct them, and send less for a moment.',
      { retryAfterMs: waitMs },
    );
  }

  /** Counts a refused request with a body of `bodyBytes`. */
  count(code: ErrorCode, keyId: KeyId, address: string, bodyBytes: number): void {
    if (!COUNTED_STATUSES.has(ERRORS[code].status)) return;
    this.countFree(keyId, bodyBytes);
    this.#byAddress.take(networkOf(address), tokensOf(bodyBytes));
  }

  /** Counts a message of so many bytes that costs its sender nothing, as if it had been refused. */
  countFree(keyId: KeyId, bytes: number): void {
    this.#byKey.take(keyId, tokensOf(bytes));
  }
}

const tokensOf = (bytes: number): number => 1 + bytes / BYTES_PER_TOKEN;
