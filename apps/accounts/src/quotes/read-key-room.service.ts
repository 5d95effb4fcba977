import { type CapCounter, type CapMeasure, capCountersOf, type KeyRecord, type SpendCap } from '@gateway/contracts';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE } from '../tokens.js';

/** What limits a key beside its account's balance. */
export type KeyLimits = Pick<KeyRecord, 'spendCap' | 'cappedPeriods' | 'isTest'>;

/** What the caps of a key and of its account leave, below zero once a cap is exceeded; null without a cap. */
export interface KeyRoom {
  readonly nanoUsd: bigint | null;
  readonly tokens: bigint | null;
  readonly requests: bigint | null;
}

const UNLIMITED: KeyRoom = { nanoUsd: null, tokens: null, requests: null };

/** The fields of a counter in Redis: booked, and open. */
const FIELDS = {
  usd: ['cost', 'openCost'],
  tokens: ['tokens', 'openTokens'],
  requests: ['requests', 'openRequests'],
} as const satisfies Record<CapMeasure, readonly [string, string]>;

/** Reads what the caps of a key leave, as admission counts it: booked, settled and held amounts. */
@Injectable()
export class ReadKeyRoom {
  constructor(
    @Inject(ADMISSION_STORE) private readonly store: Pick<AdmissionStore, 'readSpending' | 'readCapCounter'>,
  ) {}

  /** `limits` null: only the balance counts, as for a person. */
  async read(accountId: string, limits: KeyLimits | null, nowMs: number): Promise<KeyRoom> {
    if (limits === null || limits.isTest) return UNLIMITED;
    const counters = capCountersOf(limits, nowMs) ?? [];
    const [ofLife, ...ofPeriods] = await Promise.all([
      this.#ofSpendCap(accountId, limits.spendCap),
      ...counters.map((counter) => this.#ofCounter(accountId, counter)),
    ]);
    return ofPeriods.reduce<KeyRoom>(
      (room, other) => ({
        nanoUsd: lower(room.nanoUsd, other.nanoUsd),
        tokens: lower(room.tokens, other.tokens),
        requests: lower(room.requests, other.requests),
      }),
      { ...UNLIMITED, nanoUsd: ofLife },
    );
  }

  async #ofSpendCap(accountId: string, cap: SpendCap | null): Promise<bigint | null> {
    if (cap === null) return null;
    const { spentNanoUsd, unsettledNanoUsd, heldNanoUsd } = await this.store.readSpending(accountId, cap.spendingKeyId);
    // Redis may have lost the booked amount; the key's record has it too.
    const booked = larger(spentNanoUsd, BigInt(cap.spentNanoUsd));
    return BigInt(cap.capNanoUsd) - booked - unsettledNanoUsd - heldNanoUsd;
  }

  async #ofCounter(accountId: string, { name, version, booked, limits }: CapCounter): Promise<KeyRoom> {
    const known = await this.store.readCapCounter(accountId, name);
    const isNewer = known.version !== undefined && BigInt(known.version) >= BigInt(version);
    const leftOf = (measure: CapMeasure): bigint | null => {
      const limit = limits[measure];
      if (limit === undefined) return null;
      const [bookedField, openField] = FIELDS[measure];
      const taken = isNewer ? (known[bookedField] ?? '0') : booked[measure];
      return BigInt(limit) - BigInt(taken) - BigInt(known[openField] ?? '0');
    };
    return { nanoUsd: leftOf('usd'), tokens: leftOf('tokens'), requests: leftOf('requests') };
  }
}

const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right);

const lower = (one: bigint | null, other: bigint | null): bigint | null =>
  one === null || (other !== null && other < one) ? other : one;
