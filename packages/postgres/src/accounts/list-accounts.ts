import type { Database } from '../database.js';
import type { Prisma } from '../generated/client.js';
import { ACCOUNT_FIELDS, type AccountRecord } from './account-record.js';

export interface AccountWithBalance extends AccountRecord {
  /** The customer's money: free, in escrow, and held for open tasks. */
  readonly customerNanoUsd: bigint;
  readonly escrowNanoUsd: bigint;
  readonly taskHoldsNanoUsd: bigint;
}

const matching = (search: string): Prisma.AccountWhereInput[] => {
  const part = { contains: search, mode: 'insensitive' } as const;
  return [
    { id: search },
    { name: part },
    { email: part },
    { members: { some: { person: { email: part }, removedAt: null } } },
  ];
};

/**
 * Accounts after `afterId`, in the order of their ids. `email`: of the account or of a member. `search`: an id, or a part of
 * a name or an address.
 */
export async function listAccounts(
  { prisma }: Database,
  page: {
    readonly afterId: string | null;
    readonly limit: number;
    readonly id?: string;
    readonly email?: string;
    readonly search?: string;
  },
): Promise<readonly AccountWithBalance[]> {
  const rows = await prisma.account.findMany({
    where: {
      AND: [
        ...(page.afterId === null ? [] : [{ id: { gt: page.afterId } }]),
        ...(page.id === undefined ? [] : [{ id: page.id }]),
        ...(page.email === undefined
          ? []
          : [
              {
                OR: [{ email: page.email }, { members: { some: { person: { email: page.email }, removedAt: null } } }],
              },
            ]),
        ...(page.search === undefined ? [] : [{ OR: matching(page.search) }]),
      ],
    },
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
