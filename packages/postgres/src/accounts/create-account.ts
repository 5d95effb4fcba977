import type { Database } from '../database.js';
import { ACCOUNT_FIELDS, type AccountRecord } from './account-record.js';

/** Creates an account with its ledger accounts and without members. */
export const createAccount = (
  { prisma }: Database,
  account: { readonly id: string; readonly email: string; readonly name?: string },
): Promise<AccountRecord> => prisma.account.create({ data: account, select: ACCOUNT_FIELDS });
