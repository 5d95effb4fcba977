import { ACCOUNT_FIELDS, type AccountRecord } from '../accounts/account-record.js';
import type { Database } from '../database.js';

/** An administrator's permission to read an account until a time. */
export interface AccountView {
  readonly id: string;
  readonly accountId: string;
  readonly administrator: string;
  readonly reason: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const FIELDS = {
  id: true,
  accountId: true,
  administrator: true,
  reason: true,
  createdAt: true,
  expiresAt: true,
} as const;

export const openAccountView = (
  { prisma }: Database,
  view: Omit<AccountView, 'createdAt'> & { readonly tokenSha256: string },
): Promise<AccountView> => prisma.accountView.create({ data: view, select: FIELDS });

/** Null: there is no such view, or it has expired. */
export const findAccountView = (
  { prisma }: Database,
  tokenSha256: string,
  now: Date,
): Promise<(AccountView & { readonly account: AccountRecord }) | null> =>
  prisma.accountView.findFirst({
    where: { tokenSha256, expiresAt: { gt: now } },
    select: { ...FIELDS, account: { select: ACCOUNT_FIELDS } },
  });

/** Ends a view now. Null: there is no such view, or it has ended. */
export async function endAccountView(
  { prisma }: Database,
  tokenSha256: string,
  now: Date,
): Promise<AccountView | null> {
  const [ended] = await prisma.accountView.updateManyAndReturn({
    where: { tokenSha256, expiresAt: { gt: now } },
    data: { expiresAt: now },
    select: FIELDS,
  });
  return ended ?? null;
}
