import type { Database } from '../database.js';
import { isUniqueViolation } from '../database-failure.js';
import { ACCOUNT_FIELDS, type AccountRecord } from './account-record.js';

/** Opens an account with its ledger accounts; null if the address (in lower case) has one. */
export async function createAccount(
  { prisma }: Database,
  account: { readonly id: string; readonly email: string; readonly passwordHash: string | null },
): Promise<AccountRecord | null> {
  try {
    return await prisma.account.create({ data: account, select: ACCOUNT_FIELDS });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}
