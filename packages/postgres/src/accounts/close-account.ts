import type { Database } from '../database.js';

/** Closes an organisation for good; its books stay. False: there is no open one, or another call has closed it. */
export async function closeAccount({ prisma }: Database, accountId: string): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ closed: boolean }[]>`SELECT close_account(${accountId}) AS closed`;
  return row?.closed ?? false;
}
