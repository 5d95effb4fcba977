import type { Database } from '../database.js';
import { MEMBER_FIELDS, type MemberOfAccount, type MemberRecord, toMember } from './member-record.js';

/** A present member of this account. */
export async function findMember({ prisma }: Database, accountId: string, id: string): Promise<MemberRecord | null> {
  const found = await prisma.member.findFirst({ where: { id, accountId, removedAt: null }, select: MEMBER_FIELDS });
  return found === null ? null : toMember(found);
}

/** The present members of an account, the longest first. */
export async function listMembers({ prisma }: Database, accountId: string): Promise<readonly MemberOfAccount[]> {
  const found = await prisma.member.findMany({
    where: { accountId, removedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { ...MEMBER_FIELDS, person: { select: { email: true, name: true } } },
  });
  return found.map(toMember);
}
