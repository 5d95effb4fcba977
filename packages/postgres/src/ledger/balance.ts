import type { Database } from '../database.js';

/** The balances of a customer. */
export interface LedgerBalances {
  /** The epoch of Redis that the escrow belongs to; null while the escrow of a former epoch is being returned. */
  readonly epoch: bigint | null;
  readonly customerNanoUsd: bigint;
  /** Rises with each change of `customerNanoUsd`. */
  readonly customerVersion: bigint;
  readonly escrowNanoUsd: bigint;
  /** The sequence of the open return; null: none. The money that Redis took out for it still counts as escrow. */
  readonly openReturn: bigint | null;
  /** Held for open video tasks. */
  readonly taskHoldsNanoUsd: bigint;
  /** Holds of open video tasks that are not booked yet: their events are on their way or lost. */
  readonly unbookedHoldsNanoUsd: bigint;
}

interface Row {
  readonly kind: string;
  readonly epoch: bigint | null;
  readonly balance_nano_usd: bigint;
  readonly version: bigint;
  readonly unbooked: bigint;
  readonly open_return: bigint | null;
}

/** All balances in one snapshot. Null: there is no such account. */
export async function readLedgerBalances({ prisma }: Database, accountId: string): Promise<LedgerBalances | null> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT kind, account_epoch(${accountId}) AS epoch, balance_nano_usd, version, (
        SELECT coalesce(sum(hold_nano_usd), 0)::bigint FROM video_task
        WHERE account_id = ${accountId} AND NOT is_final_task(state) AND hold_entry_id IS NULL AND asked_at IS NOT NULL
      ) AS unbooked, (
        SELECT sequence FROM escrow_return WHERE account_id = ${accountId} AND closed_at IS NULL
      ) AS open_return
    FROM ledger_account JOIN ledger_balance ON ledger_account_id = id WHERE ledger_account.account_id = ${accountId}`;
  const customer = rows.find(({ kind }) => kind === 'customer');
  const escrow = rows.find(({ kind }) => kind === 'escrow');
  if (customer === undefined || escrow === undefined) return null;
  return {
    epoch: customer.epoch,
    customerNanoUsd: customer.balance_nano_usd,
    customerVersion: customer.version,
    escrowNanoUsd: escrow.balance_nano_usd,
    openReturn: customer.open_return,
    taskHoldsNanoUsd: rows.find(({ kind }) => kind === 'task_holds')?.balance_nano_usd ?? 0n,
    unbookedHoldsNanoUsd: customer.unbooked,
  };
}
