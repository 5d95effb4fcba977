import type { Database } from '../database.js';

/** Changes the password and ends all sessions but the one that asked for it, in one transaction. */
export async function changePassword(
  { prisma }: Database,
  accountId: string,
  passwordHash: string,
  keptTokenSha256: string,
): Promise<void> {
  await prisma.$transaction([
    prisma.account.update({ where: { id: accountId }, data: { passwordHash } }),
    prisma.session.deleteMany({ where: { accountId, tokenSha256: { not: keptTokenSha256 } } }),
  ]);
}
