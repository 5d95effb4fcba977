/** An account as the account API shows it. */
export interface AccountRecord {
  readonly id: string;
  readonly email: string;
  /** Null: the account has no log-in by password. */
  readonly passwordHash: string | null;
  /** Over all keys, as an administrator set it, 0 for unlimited; null: the deployment's default. */
  readonly requestsPerMinute: number | null;
  readonly concurrency: number | null;
  readonly suspendedAt: Date | null;
  /** Threshold of the event `balance.low`; null: no event. */
  readonly lowBalanceNanoUsd: bigint | null;
  /** The calendar of its caps and of those of its keys: an IANA name. */
  readonly timeZone: string;
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
  timeZone: true,
  createdAt: true,
} as const;
