import type { Database } from '../database.js';

/** The money that Redis should hold for an account. */
export interface EscrowPosition {
  readonly accountId: string;
  readonly escrowNanoUsd: bigint;
  /** The part of the escrow that Redis may not have received. */
  readonly undeliveredNanoUsd: bigint;
  /** The sequence of the open return; null: none. The money that Redis took out for it still counts as escrow. */
  readonly openReturn: bigint | null;
}

interface Row {
  readonly account_id: string;
  readonly escrow: bigint;
  readonly undelivered: bigint;
  readonly open_return: bigint | null;
}

/** The positions of these accounts in one snapshot. */
export async function escrowPositions(
  { prisma }: Database,
  accountIds: readonly string[],
): Promise<readonly EscrowPosition[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT ledger_account.account_id, balance_nano_usd AS escrow, coalesce((
        SELECT sum(amount_nano_usd) FROM escrow_grant
        WHERE escrow_grant.account_id = ledger_account.account_id AND delivered_at IS NULL AND voided_at IS NULL
      ), 0)::bigint AS undelivered, escrow_return.sequence AS open_return
    FROM ledger_account JOIN ledger_balance ON ledger_account_id = ledger_account.id
    LEFT JOIN escrow_return ON escrow_return.account_id = ledger_account.account_id AND closed_at IS NULL
    WHERE kind = 'escrow' AND ledger_account.account_id = ANY(${[...accountIds]}::text[])`;
  return rows.map((row) => ({
    accountId: row.account_id,
    escrowNanoUsd: row.escrow,
    undeliveredNanoUsd: row.undelivered,
    openReturn: row.open_return,
  }));
}

/** Accounts with escrow after the ledger account `afterId`, the oldest first. `lastId` is null on the last page. */
export async function accountsWithEscrow(
  { prisma }: Database,
  { afterId, limit }: { readonly afterId: bigint; readonly limit: number },
): Promise<{ readonly accountIds: readonly string[]; readonly lastId: bigint | null }> {
  const rows = await prisma.$queryRaw<{ id: bigint; account_id: string }[]>`
    SELECT id, account_id FROM ledger_account JOIN ledger_balance ON ledger_account_id = id
    WHERE id > ${afterId}::bigint AND ledger_account_id > ${afterId}::bigint AND kind = 'escrow' AND balance_nano_usd <> 0
    ORDER BY id LIMIT ${limit}::int`;
  const lastId = rows.length < limit ? null : (rows.at(-1)?.id ?? null);
  return { accountIds: rows.map((row) => row.account_id), lastId };
}

/**
 * Sets an account's escrow to what Redis holds, against the customer's free balance: the total stays the same. False:
 * the escrow or the epoch has changed since the caller read it, or the amounts are equal.
 */
export async function mirrorEscrow(
  { prisma }: Database,
  seen: {
    readonly accountId: string;
    readonly escrowNanoUsd: bigint;
    readonly heldByRedisNanoUsd: bigint;
    readonly epoch: bigint;
  },
): Promise<boolean> {
  const { accountId, escrowNanoUsd, heldByRedisNanoUsd, epoch } = seen;
  const [row] = await prisma.$queryRaw<{ is_moved: boolean }[]>`
    SELECT mirror_escrow(${accountId}, ${escrowNanoUsd}::bigint, ${heldByRedisNanoUsd}::bigint,
      ${epoch}::bigint) AS is_moved`;
  return row?.is_moved ?? false;
}
