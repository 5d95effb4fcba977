import type { Database } from '../database.js';

/** A grant that Redis may not have received. */
export interface UndeliveredGrant {
  readonly accountId: string;
  readonly sequence: bigint;
  readonly epoch: bigint;
  readonly amountNanoUsd: bigint;
  /** Age by the clock of PostgreSQL. */
  readonly ageMs: number;
  /** The customer's balance outside escrow, and the version of that balance. */
  readonly customerNanoUsd: bigint;
  readonly customerVersion: bigint;
}

interface Row {
  readonly account_id: string;
  readonly sequence: bigint;
  readonly epoch: bigint;
  readonly amount_nano_usd: bigint;
  readonly age_ms: number;
  readonly balance_nano_usd: bigint;
  readonly version: bigint;
}

/** Undelivered grants, the oldest first: of one account, or of all that are older than `olderThanMs`. */
export async function undeliveredGrants(
  { prisma }: Database,
  which: { readonly accountId: string } | { readonly olderThanMs: number; readonly limit: number },
): Promise<readonly UndeliveredGrant[]> {
  const accountId = 'accountId' in which ? which.accountId : null;
  const olderThanMs = 'accountId' in which ? 0 : which.olderThanMs;
  const limit = 'accountId' in which ? null : which.limit;
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT escrow_grant.account_id, sequence, epoch, amount_nano_usd, balance_nano_usd, version,
      (extract(epoch FROM now() - escrow_grant.created_at) * 1000)::float8 AS age_ms
    FROM escrow_grant
    JOIN ledger_account ON ledger_account.account_id = escrow_grant.account_id AND kind = 'customer'
    JOIN ledger_balance ON ledger_account_id = ledger_account.id
    WHERE delivered_at IS NULL AND voided_at IS NULL
      AND (${accountId}::text IS NULL OR escrow_grant.account_id = ${accountId})
      AND escrow_grant.created_at <= now() - ${olderThanMs}::int * interval '1 millisecond'
    ORDER BY escrow_grant.account_id, sequence LIMIT ${limit}::int`;
  return rows.map((row) => ({
    accountId: row.account_id,
    sequence: row.sequence,
    epoch: row.epoch,
    amountNanoUsd: row.amount_nano_usd,
    ageMs: row.age_ms,
    customerNanoUsd: row.balance_nano_usd,
    customerVersion: row.version,
  }));
}

/** Marks grants of one account as received by Redis. */
export async function markDelivered(
  { prisma }: Database,
  accountId: string,
  sequences: readonly bigint[],
): Promise<void> {
  if (sequences.length === 0) return;
  await prisma.$executeRaw`
    UPDATE escrow_grant SET delivered_at = now()
    WHERE account_id = ${accountId} AND sequence = ANY (${sequences}::bigint[])
      AND delivered_at IS NULL AND voided_at IS NULL`;
}
