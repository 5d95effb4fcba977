import type { Database } from '../database.js';

/** Changes the password and ends all sessions except the caller's, in one transaction. */
export async function changePassword(
  { prisma }: Database,
  accountId: string,
  passwordHash: string,
  callerTokenSha256: string,
): Promise<void> {
  await prisma.$transaction([
    prisma.account.update({ where: { id: accountId }, data: { passwordHash } }),
    prisma.session.deleteMany({ where: { accountId, tokenSha256: { not: callerTokenSha256 } } }),
  ]);
}
