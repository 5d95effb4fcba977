import type { Database } from '../database.js';

/** Both at once: whoever was logged in by the old password is not any more, but for the session that asked. */
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
