import type { AccountId, KeyId, RequestId } from '../ids/ids.js';
import type { PriceOverride } from '../usage/price.js';

/**
 * What a key has spent, with the keys that it replaced, as far as the ledger has booked it. They share one count, kept on
 * the first of them: `spendingKeyId`. Amounts and numbers are digits.
 */
export interface KeySpending {
  readonly spendingKeyId: KeyId;
  readonly spentNanoUsd: string;
  /** Rises with each change of `spentNanoUsd`, which may go down: an older value never overwrites a newer one. */
  readonly version: string;
}

export interface SpendCap extends KeySpending {
  readonly capNanoUsd: string;
}

/** What the edge knows of a key: cached for at most five seconds in a process, and dropped when a change is published. */
export interface KeyRecord {
  readonly keyId: KeyId;
  readonly accountId: AccountId;
  readonly keySha256: string;
  readonly isTest: boolean;
  readonly isRevoked: boolean;
  readonly isAccountSuspended: boolean;
  /** Null: it may spend what its account has. */
  readonly spendCap: SpendCap | null;
  /** Unix milliseconds; null: never. */
  readonly expiresAtMs: number | null;
  /** Public model ids; null: all. */
  readonly models: readonly string[] | null;
  /** Endpoint names of the endpoint table; null: all. */
  readonly endpoints: readonly string[] | null;
  /** Requests for each minute; 0: unlimited. */
  readonly requestsPerMinute: number;
  /** Requests at the same time; 0: unlimited. */
  readonly concurrency: number;
  /** IP addresses or CIDR blocks; null: all. */
  readonly allowedIps: readonly string[] | null;
  /** The account's own prices, past and coming ones included; absent: it has none. */
  readonly priceOverrides?: readonly PriceOverride[];
}

export const DEFAULT_REQUESTS_PER_MINUTE = 600;
export const DEFAULT_CONCURRENCY = 50;

export interface AdmissionRequest {
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly requestsPerMinute: number;
  readonly concurrency: number;
  readonly holdNanoUsd: bigint;
  /** Will cost nothing: not even a debt stands in its way. */
  readonly isFree?: boolean;
  /** What the key has spent, what it holds and this hold may not exceed its cap. */
  readonly spendCap?: SpendCap;
  /** Unix milliseconds after which an unsettled hold is an orphan. */
  readonly holdExpiresAtMs: number;
  /** What the hold is for: kept with it, so that an orphan can be settled and explained without its ticket. */
  readonly about: {
    readonly endpoint: string;
    readonly model: string;
    readonly priceVersion: string;
    readonly admittedAtMs: number;
  };
}

/** The state of the key's rate window, for `x-ratelimit-*`. `limit` 0: unlimited. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window is whole again. */
  readonly resetMs: number;
}

/** What every refusal says besides its reason. */
interface RefusedAdmission {
  readonly rate: RateState;
  /** What is left, what is held included; null if Redis does not know all of it. */
  readonly balanceNanoUsd: bigint | null;
}

export type AdmissionOutcome =
  | { readonly outcome: 'admitted'; readonly rate: RateState }
  | (RefusedAdmission & { readonly outcome: 'concurrency' | 'rate'; readonly retryAfterMs: number })
  /** Spendable is `missingNanoUsd` short of the hold: ask billing for the next block. */
  | (RefusedAdmission & { readonly outcome: 'funds'; readonly missingNanoUsd: bigint })
  /** The key's cap leaves less than the hold: so much is spent or held already. */
  | (RefusedAdmission & { readonly outcome: 'spend_cap'; readonly takenNanoUsd: bigint })
  /** Redis lost its contents and billing has not rebuilt it yet. */
  | { readonly outcome: 'rebuilding' };
