import type { Database } from '../database.js';

export interface NewCredit {
  /** A repeated reference is one credit. */
  readonly reference: string;
  readonly accountId: string;
  /** `top_up`: money came in. `adjustment`: a correction in either direction. */
  readonly kind: 'top_up' | 'adjustment';
  /** Not zero. */
  readonly amountNanoUsd: bigint;
  readonly reason: string;
}

export type CreditOutcome =
  | {
      readonly outcome: 'posted' | 'repeated';
      readonly transactionId: bigint;
      /** The stored reason; a repeated request may give another one. */
      readonly reason: string;
      readonly createdAt: Date;
    }
  /** The reference belongs to a credit of another account, kind or amount. */
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'unknown_account' };

interface Row {
  readonly outcome: CreditOutcome['outcome'];
  readonly transaction_id: bigint | null;
  readonly created_at: Date | null;
}

export async function postCredit({ prisma }: Database, credit: NewCredit): Promise<CreditOutcome> {
  const { reference, accountId, kind, amountNanoUsd, reason } = credit;
  const [row] = await prisma.$queryRaw<Row[]>`
    SELECT * FROM post_credit(${reference}, ${accountId}, ${kind}, ${amountNanoUsd}::bigint, ${reason})`;
  if (row === undefined) throw new Error('post_credit() returned no row');
  if (row.outcome === 'conflict' || row.outcome === 'unknown_account') return { outcome: row.outcome };
  if (row.transaction_id === null || row.created_at === null) throw new Error('post_credit() returned no transaction');
  const stored = row.outcome === 'repeated' ? await prisma.credit.findUniqueOrThrow({ where: { reference } }) : credit;
  return { outcome: row.outcome, transactionId: row.transaction_id, reason: stored.reason, createdAt: row.created_at };
}
