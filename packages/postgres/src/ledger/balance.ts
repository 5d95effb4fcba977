import type { Database } from '../database.js';

/** What the ledger has of a customer. */
export interface LedgerPosition {
  readonly customerNanoUsd: bigint;
  /** Rises with every change of `customerNanoUsd`. */
  readonly customerVersion: bigint;
  readonly escrowNanoUsd: bigint;
}

interface Row {
  readonly kind: string;
  readonly balance_nano_usd: bigint;
  readonly version: bigint;
}

/** Both sides of one moment; null if there is no such account. */
export async function readPosition({ prisma }: Database, accountId: string): Promise<LedgerPosition | null> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT kind, balance_nano_usd, version
    FROM ledger_account JOIN ledger_balance ON ledger_account_id = id WHERE account_id = ${accountId}`;
  const customer = rows.find(({ kind }) => kind === 'customer');
  const escrow = rows.find(({ kind }) => kind === 'escrow');
  if (customer === undefined || escrow === undefined) return null;
  return {
    customerNanoUsd: customer.balance_nano_usd,
    customerVersion: customer.version,
    escrowNanoUsd: escrow.balance_nano_usd,
  };
}
