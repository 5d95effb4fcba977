import type { Database } from '../database.js';

/** What an account keeps, and how long its results stay. */
export interface AccountStorage {
  readonly fileBytes: number;
  readonly files: number;
  /** Bodies and responses of requests that are taken later. */
  readonly requestBytes: number;
  /** Stored responses and conversations. */
  readonly responseBytes: number;
  /** Null: as long as the deployment keeps them. */
  readonly mediaRetentionDays: number | null;
  readonly resultRetentionHours: number | null;
}

export type RetentionChange = Partial<Pick<AccountStorage, 'mediaRetentionDays' | 'resultRetentionHours'>>;

/** Null: there is no such account. */
export async function readAccountStorage({ prisma }: Database, accountId: string): Promise<AccountStorage | null> {
  const [account, use] = await Promise.all([
    prisma.account.findUnique({
      where: { id: accountId },
      select: { mediaRetentionDays: true, resultRetentionHours: true },
    }),
    prisma.storeUse.findUnique({ where: { accountId } }),
  ]);
  return (
    account && {
      fileBytes: Number(use?.bytes ?? 0n),
      files: Number(use?.objects ?? 0n),
      requestBytes: Number(use?.requestBytes ?? 0n),
      responseBytes: Number(use?.responseBytes ?? 0n),
      ...account,
    }
  );
}

/** Changes the given fields only, for what is kept from now on. */
export async function changeRetention({ prisma }: Database, accountId: string, change: RetentionChange): Promise<void> {
  await prisma.account.updateMany({ where: { id: accountId }, data: change });
}
