import type { Database } from '../database.js';
import { joined, type Sql, sql } from '../sql.js';

export const LEDGER_KINDS = ['top_up', 'adjustment', 'settlement'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Undefined: every value. The times are those of booking. */
export interface LedgerFilter {
  readonly kind?: LedgerKind | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface LedgerPage extends LedgerFilter {
  /** The last transaction of the page before; null: the first page. */
  readonly afterId: bigint | null;
  readonly limit: number;
  /** Default: `newest` first. */
  readonly order?: 'newest' | 'oldest' | undefined;
}

/** A transaction that changed what a customer owns. Transfers between the customer's ledger accounts are left out. */
export interface LedgerLine {
  readonly id: bigint;
  readonly kind: LedgerKind;
  /** `credit:<reference>` or `settlement:<request id>`. */
  readonly reference: string;
  readonly reason: string | null;
  readonly amountNanoUsd: bigint;
  readonly createdAt: Date;
}

interface Row {
  readonly id: bigint;
  readonly kind: LedgerKind;
  readonly reference: string;
  readonly reason: string | null;
  readonly amount: bigint;
  readonly created_at: Date;
}

/** Constants, so that each names one of the two partial indexes of an account's lines. */
const CONDITIONS = {
  top_up: sql`kind IN ('top_up', 'adjustment') AND kind = 'top_up'`,
  adjustment: sql`kind IN ('top_up', 'adjustment') AND kind = 'adjustment'`,
  settlement: sql`kind = 'settlement'`,
} satisfies Record<LedgerKind, Sql>;
const ANY_KIND = sql`kind IN ('top_up', 'adjustment', 'settlement')`;

/** Lines of an account. An index by account and id serves both orders. */
export async function listLedger(
  { prisma }: Database,
  accountId: string,
  { afterId, limit, order, kind, from, to }: LedgerPage,
): Promise<readonly LedgerLine[]> {
  const isNewest = order !== 'oldest';
  const conditions = [
    sql`account_id = ${accountId}`,
    kind === undefined ? ANY_KIND : CONDITIONS[kind],
    ...(afterId === null ? [] : [isNewest ? sql`id < ${afterId}` : sql`id > ${afterId}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
  ];
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT ledger_transaction.id, ledger_transaction.kind, reference, reason, created_at,
      (SELECT sum(amount_nano_usd)::bigint FROM ledger_entry
        JOIN ledger_account ON ledger_account.id = ledger_account_id
        WHERE transaction_id = ledger_transaction.id AND ledger_account.account_id = ${accountId}) AS amount
    FROM ledger_transaction WHERE ${joined(conditions, ' AND ')}
    ORDER BY id ${isNewest ? sql`DESC` : sql`ASC`} LIMIT ${limit}::int`;
  return rows.map(({ amount, created_at, ...row }) => ({ ...row, amountNanoUsd: amount, createdAt: created_at }));
}
