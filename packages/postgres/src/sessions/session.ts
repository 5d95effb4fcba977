import { ACCOUNT_FIELDS, type AccountRecord } from '../accounts/account-record.js';
import type { Database } from '../database.js';

export async function openSession(
  { prisma }: Database,
  session: { readonly tokenSha256: string; readonly accountId: string; readonly expiresAt: Date },
): Promise<void> {
  await prisma.session.create({ data: session });
}

/** The account of a session. Null: there is no such session, or it has expired. */
export async function findSessionAccount(
  { prisma }: Database,
  tokenSha256: string,
  now: Date,
): Promise<AccountRecord | null> {
  const session = await prisma.session.findFirst({
    where: { tokenSha256, expiresAt: { gt: now } },
    select: { account: { select: ACCOUNT_FIELDS } },
  });
  return session?.account ?? null;
}

export async function closeSession({ prisma }: Database, tokenSha256: string): Promise<void> {
  await prisma.session.deleteMany({ where: { tokenSha256 } });
}
