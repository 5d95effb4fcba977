import type { Cap } from '@gateway/contracts';

/** The settings of a key that its owner controls. An empty list means "all", but no scope. */
export interface ApiKeySettings {
  readonly name: string;
  readonly models: readonly string[];
  readonly endpoints: readonly string[];
  readonly allowedIps: readonly string[];
  readonly scopes: readonly string[];
  /** Null: only the account's limits. */
  readonly requestsPerMinute: number | null;
  readonly concurrency: number | null;
  readonly spendCapNanoUsd: bigint | null;
  readonly caps: readonly Cap[];
  readonly expiresAt: Date | null;
  /** Prompts and answers are kept for a day. */
  readonly keepContents: boolean;
}

/** A key as its owner sees it. Only the SHA-256 of the key itself is stored. */
export interface ApiKeyRecord extends ApiKeySettings {
  readonly id: string;
  readonly accountId: string;
  /** The member whose key it is; null: the organisation's own. */
  readonly memberId: string | null;
  readonly sha256: string;
  readonly prefix: string;
  readonly isTest: boolean;
  /** Shared with the keys that it replaced and that replace it. */
  readonly spentNanoUsd: bigint;
  /** The budgets of its open children, which it may not spend. */
  readonly reservedNanoUsd: bigint;
  /** The first key of the chain that made this one; null: a person made it. */
  readonly parentId: string | null;
  /** The earlier of the expiry that the owner set and the end of the grace period after a rotation. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

/** The relation that a record needs beside the key's own row. */
export const WITH_SPENDING = { spendingKey: { select: { spentNanoUsd: true, reservedNanoUsd: true } } } as const;

interface Row extends Omit<ApiKeyRecord, 'caps'> {
  readonly caps: unknown;
  readonly spendingKey: Pick<ApiKeyRecord, 'spentNanoUsd' | 'reservedNanoUsd'> | null;
  readonly graceEndsAt: Date | null;
}

const earlier = (a: Date | null, b: Date | null): Date | null => (a !== null && (b === null || a < b) ? a : b);

export function toKeyRecord({ spendingKey, graceEndsAt, caps, ...key }: Row): ApiKeyRecord {
  // A child that has ended counts on its parent, and keeps what it has spent itself.
  const counted = key.parentId === null ? (spendingKey ?? key) : key;
  return {
    ...key,
    caps: caps as readonly Cap[],
    spentNanoUsd: counted.spentNanoUsd - counted.reservedNanoUsd,
    reservedNanoUsd: counted.reservedNanoUsd,
    expiresAt: earlier(key.expiresAt, graceEndsAt),
  };
}

/** Prisma requires mutable lists. */
export const toKeyData = <Settings extends Partial<ApiKeySettings>>({
  models,
  endpoints,
  allowedIps,
  scopes,
  caps,
  ...rest
}: Settings) => ({
  ...rest,
  ...(models === undefined ? {} : { models: [...models] }),
  ...(endpoints === undefined ? {} : { endpoints: [...endpoints] }),
  ...(allowedIps === undefined ? {} : { allowedIps: [...allowedIps] }),
  ...(scopes === undefined ? {} : { scopes: [...scopes] }),
  ...(caps === undefined ? {} : { caps: caps.map((cap) => ({ ...cap })) }),
});
