/** An account, which is an organisation, as the account API shows it. */
export interface AccountRecord {
  readonly id: string;
  /** The name of the organisation; empty: none was given. */
  readonly name: string;
  /** Where its notices go. */
  readonly email: string;
  /** Over all keys, as an administrator set it, 0 for unlimited; null: the deployment's default. */
  readonly requestsPerMinute: number | null;
  readonly concurrency: number | null;
  readonly suspendedAt: Date | null;
  /** Threshold of the event `balance.low`; null: no event. */
  readonly lowBalanceNanoUsd: bigint | null;
  /** The calendar of its caps and of those of its keys: an IANA name. */
  readonly timeZone: string;
  readonly createdAt: Date;
  /** When it was deleted. Its books stay. */
  readonly closedAt: Date | null;
}

export const ACCOUNT_FIELDS = {
  id: true,
  name: true,
  email: true,
  requestsPerMinute: true,
  concurrency: true,
  suspendedAt: true,
  lowBalanceNanoUsd: true,
  timeZone: true,
  createdAt: true,
  closedAt: true,
} as const;
