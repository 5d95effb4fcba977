/** What its owner decides about a key. Empty lists mean "all". */
export interface ApiKeySettings {
  readonly name: string;
  readonly models: readonly string[];
  readonly endpoints: readonly string[];
  readonly allowedIps: readonly string[];
  /** Null: the default. 0: unlimited. */
  readonly requestsPerMinute: number | null;
  readonly concurrency: number | null;
  readonly spendCapNanoUsd: bigint | null;
  readonly expiresAt: Date | null;
}

/** A key as its owner sees it. The key itself is nowhere: only its SHA-256 is stored. */
export interface ApiKeyRecord extends ApiKeySettings {
  readonly id: string;
  readonly accountId: string;
  readonly sha256: string;
  readonly prefix: string;
  readonly isTest: boolean;
  /** With what the keys spent that it replaced, or that replace it: they share one count. */
  readonly spentNanoUsd: bigint;
  /** The end of its grace, once it was replaced, if that is earlier than what its owner decided. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

/** What a record needs beside the key's own row. */
export const WITH_SPENDING = { spendingKey: { select: { spentNanoUsd: true } } } as const;

interface Row extends ApiKeyRecord {
  readonly spendingKey: { readonly spentNanoUsd: bigint } | null;
  readonly graceEndsAt: Date | null;
}

const earlier = (a: Date | null, b: Date | null): Date | null => (a !== null && (b === null || a < b) ? a : b);

export const asRecord = ({ spendingKey, graceEndsAt, ...key }: Row): ApiKeyRecord => ({
  ...key,
  spentNanoUsd: spendingKey?.spentNanoUsd ?? key.spentNanoUsd,
  expiresAt: earlier(key.expiresAt, graceEndsAt),
});

/** Prisma asks for lists that it may change. */
export const asData = <Settings extends Partial<ApiKeySettings>>({
  models,
  endpoints,
  allowedIps,
  ...rest
}: Settings) => ({
  ...rest,
  ...(models === undefined ? {} : { models: [...models] }),
  ...(endpoints === undefined ? {} : { endpoints: [...endpoints] }),
  ...(allowedIps === undefined ? {} : { allowedIps: [...allowedIps] }),
});
