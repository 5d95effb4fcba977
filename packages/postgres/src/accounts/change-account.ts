import type { Cap } from '@gateway/contracts';
import type { Database } from '../database.js';
import { ACCOUNT_FIELDS, type AccountRecord } from './account-record.js';

export interface AccountChange {
  readonly name?: string;
  readonly email?: string;
  readonly requestsPerMinute?: number | null;
  readonly concurrency?: number | null;
  readonly suspendedAt?: Date | null;
  readonly lowBalanceNanoUsd?: bigint | null;
  readonly timeZone?: string;
  readonly caps?: readonly Cap[];
}

/** Changes the given fields only. Null: there is no such account. */
export async function changeAccount(
  { prisma }: Database,
  id: string,
  { caps, ...change }: AccountChange,
): Promise<AccountRecord | null> {
  const data = { ...change, ...(caps !== undefined && { caps: caps.map((cap) => ({ ...cap })) }) };
  const [changed] = await prisma.account.updateManyAndReturn({ where: { id }, data, select: ACCOUNT_FIELDS });
  return changed ?? null;
}
