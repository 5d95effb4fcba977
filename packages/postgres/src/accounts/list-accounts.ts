import type { Database } from '../database.js';
import { ACCOUNT_FIELDS, type AccountRecord } from './account-record.js';

export interface AccountWithBalance extends AccountRecord {
  /** What the ledger has of this customer: the free part, the part in escrow, the part that open tasks may cost. */
  readonly customerNanoUsd: bigint;
  readonly escrowNanoUsd: bigint;
  readonly taskHoldsNanoUsd: bigint;
}

/** Accounts by id, those after `afterId`. */
export async function listAccounts(
  { prisma }: Database,
  page: { readonly afterId: string | null; readonly limit: number },
): Promise<readonly AccountWithBalance[]> {
  const rows = await prisma.account.findMany({
    ...(page.afterId === null ? {} : { where: { id: { gt: page.afterId } } }),
    orderBy: { id: 'asc' },
    take: page.limit,
    select: { ...ACCOUNT_FIELDS, ledgerAccounts: { select: { kind: true, balance: true } } },
  });
  return rows.map(({ ledgerAccounts, ...account }) => {
    const balanceOf = (kind: string) => ledgerAccounts.find((one) => one.kind === kind)?.balance?.balanceNanoUsd ?? 0n;
    return {
      ...account,
      customerNanoUsd: balanceOf('customer'),
      escrowNanoUsd: balanceOf('escrow'),
      taskHoldsNanoUsd: balanceOf('task_holds'),
    };
  });
}
