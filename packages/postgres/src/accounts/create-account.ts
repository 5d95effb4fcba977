import type { Database } from '../database.js';
import { isUniqueViolation } from '../database-failure.js';
import { ACCOUNT_FIELDS, type AccountRecord } from './account-record.js';

/** Creates an account with its ledger accounts. `email` is in lower case. Null: the address has an account. */
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
