import type { Database } from '../database.js';
import { ACCOUNT_FIELDS, type AccountRecord } from './account-record.js';

export const findAccount = ({ prisma }: Database, id: string): Promise<AccountRecord | null> =>
  prisma.account.findUnique({ where: { id }, select: ACCOUNT_FIELDS });
