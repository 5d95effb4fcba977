import type { AccountId, KeyId, RequestId } from '../ids/ids.js';
import type { AbortContract } from '../usage/abort-contract.js';
import type { PriceOverride } from '../usage/price.js';
import type { CapCounter, CapMeasure, CappedPeriod, TokenHold } from './caps.js';

/**
 * The spending of a key and the keys that it replaced, as booked in the ledger. They share one count, stored under the
 * first key's id: `spendingKeyId`. Amounts (nano-USD) and versions are digits.
 */
export interface KeySpending {
  readonly spendingKeyId: KeyId;
  readonly spentNanoUsd: string;
  /** Incremented by each change of `spentNanoUsd`, so that an older value never overwrites a newer one. */
  readonly version: string;
}

export interface SpendCap extends KeySpending {
  readonly capNanoUsd: string;
}

type Nullable<Limits> = { readonly [Name in keyof Limits]: Limits[Name] | null };

/** 0: unlimited. */
export interface RequestLimits {
  readonly requestsPerMinute: number;
  /** Requests at the same time. */
  readonly concurrency: number;
}

/** Whose limit it is: the account's over all its keys, the key's own, or that of a key above it. */
export type LimitScope = 'account' | 'key' | 'parent';

/** A key above a child. It and all keys below it run at most so many requests at once. */
export interface ParentLimit {
  readonly keyId: KeyId;
  readonly concurrency: number;
}

/** A key as the edge caches it: for at most five seconds, or until a change is published. */
export interface KeyRecord {
  readonly keyId: KeyId;
  readonly accountId: AccountId;
  readonly keySha256: string;
  readonly isTest: boolean;
  readonly isRevoked: boolean;
  readonly isAccountSuspended: boolean;
  /** Null: the account's balance is the only limit. */
  readonly spendCap: SpendCap | null;
  /** The periods with a hard cap, of the key and of its account; absent: none. */
  readonly cappedPeriods?: readonly CappedPeriod[];
  /** Unix milliseconds; null: never. */
  readonly expiresAtMs: number | null;
  /** Public model ids; null: all. */
  readonly models: readonly string[] | null;
  /** Endpoint names of the endpoint table; null: all. */
  readonly endpoints: readonly string[] | null;
  /** The key's own limits; null: only those of its account. */
  readonly keyLimits: Nullable<RequestLimits>;
  /** What an administrator set for the account, 0 for unlimited; null: the deployment's default. */
  readonly accountLimits: Nullable<RequestLimits>;
  /** Of the keys above a child, those with a limit of their own; absent: none. */
  readonly parentLimits?: readonly ParentLimit[];
  /** IP addresses or CIDR blocks; null: all. */
  readonly allowedIps: readonly string[] | null;
  /** Rights on the account address beyond the key's own requests. */
  readonly scopes: readonly KeyScope[];
  /** The owner wants prompts and answers kept for a day; absent: not. */
  readonly keepsContents?: true;
  /** The account's own prices, past and future ones included; absent: none. */
  readonly priceOverrides?: readonly PriceOverride[];
}

/**
 * What a request without an output cap may hold. Admission holds `fixedNanoUsd` and a quarter of what the account can
 * spend, but no less than the request's `holdNanoUsd` and no more than `mostNanoUsd`.
 */
export interface HoldRange {
  /** The part that no output cap lowers, such as the prompt. */
  readonly fixedNanoUsd: bigint;
  readonly mostNanoUsd: bigint;
}

/** An account with a lower balance gets no paid work. Debt arises only if a vendor bills beyond its own limits. */
export const LEAST_BALANCE_NANO_USD = -1_000_000_000n;

/**
 * `account:read`: everything of the account that a session may read, except keys, settings and the audit log.
 * `keys:children`: the key makes keys below it.
 */
export const KEY_SCOPES = ['account:read', 'keys:children'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export interface AdmissionRequest {
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  /** Over all keys of the account. */
  readonly accountLimits: RequestLimits;
  readonly keyLimits: RequestLimits;
  /** The request counts for each of these keys too; absent: for none. */
  readonly parentLimits?: readonly ParentLimit[];
  /** The least to hold: the request is refused if the account cannot spend it. */
  readonly holdNanoUsd: bigint;
  /** Present if admission may hold more than `holdNanoUsd`. */
  readonly holdRange?: HoldRange;
  /** Holds what Redis has, between least and most, instead of asking for a further block. */
  readonly takesLess?: boolean;
  /** True: the request costs nothing, so even an account in debt may run it. */
  readonly isFree?: boolean;
  /** Spent, held and this hold together must not exceed the cap. */
  readonly spendCap?: SpendCap;
  /** Booked, settled and held counts and this request must not exceed the limits of a counter. */
  readonly capCounters?: readonly CapCounter[];
  /** What counts against caps of tokens; absent: nothing. */
  readonly tokenHold?: TokenHold;
  /** Milliseconds after which an unsettled hold is an orphan, by the clock of Redis: those of services may differ. */
  readonly holdMs: number;
  /** Stored with the hold, so that an orphan can be settled and explained without its ticket. */
  readonly about: {
    readonly endpoint: string;
    readonly model: string;
    readonly priceVersion: string;
    readonly admittedAtMs: number;
    readonly abortContract?: AbortContract;
  };
}

/** The state of the rate window, of the account or the key, that leaves fewer requests: for `x-ratelimit-*`. `limit` 0: unlimited. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the window is full again. */
  readonly resetMs: number;
}

/** What every rejection holds besides its reason. */
interface RejectedAdmission {
  readonly rate: RateState;
  /** The balance, holds included; null if Redis does not have all of it. */
  readonly balanceNanoUsd: bigint | null;
}

export type AdmissionOutcome =
  | {
      readonly outcome: 'admitted';
      readonly rate: RateState;
      readonly holdNanoUsd: bigint;
      readonly heldTokens: number;
    }
  | (RejectedAdmission & {
      readonly outcome: 'concurrency' | 'rate';
      readonly scope: LimitScope;
      readonly retryAfterMs: number;
    })
  /** The leased amount is `missingNanoUsd` short of the hold: request the next lease from billing. */
  | (RejectedAdmission & { readonly outcome: 'funds'; readonly missingNanoUsd: bigint })
  /** The balance is below `LEAST_BALANCE_NANO_USD`. */
  | (RejectedAdmission & { readonly outcome: 'debt' })
  /** The key's cap leaves less than the hold: `takenNanoUsd` is spent or held already. */
  | (RejectedAdmission & { readonly outcome: 'spend_cap'; readonly takenNanoUsd: bigint })
  /** A hard cap of the key or its account leaves less than the request needs: `taken` counts or is held already. */
  | (RejectedAdmission & {
      readonly outcome: 'cap';
      readonly counter: CapCounter;
      readonly measure: CapMeasure;
      readonly taken: bigint;
    })
  /** Redis lost its contents and billing has not rebuilt it yet. */
  | { readonly outcome: 'rebuilding' };
