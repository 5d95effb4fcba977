/** An account as the account interface knows it. */
export interface AccountRecord {
  readonly id: string;
  readonly email: string;
  /** Null: nobody can log in with a password. */
  readonly passwordHash: string | null;
  /** What an administrator allows at most; null: no limit beyond the key's own. */
  readonly requestsPerMinute: number | null;
  readonly concurrency: number | null;
  readonly suspendedAt: Date | null;
  /** Told when less is left; null: not wanted. */
  readonly lowBalanceNanoUsd: bigint | null;
  readonly createdAt: Date;
}

export const ACCOUNT_FIELDS = {
  id: true,
  email: true,
  passwordHash: true,
  requestsPerMinute: true,
  concurrency: true,
  suspendedAt: true,
  lowBalanceNanoUsd: true,
  createdAt: true,
} as const;
