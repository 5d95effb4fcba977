import type { MemberRole } from '@gateway/contracts';
import type { Database } from '../database.js';
import { MEMBER_FIELDS, type MemberOfAccount, type MemberRecord, toMember } from './member-record.js';

/** A present member of this account. */
export async function findMember({ prisma }: Database, accountId: string, id: string): Promise<MemberRecord | null> {
  const found = await prisma.member.findFirst({ where: { id, accountId, removedAt: null }, select: MEMBER_FIELDS });
  return found === null ? null : toMember(found);
}

/** The role of the member whose key this is. Null: the key is the organisation's own. */
export async function findRoleOfKey({ prisma }: Database, keyId: string): Promise<MemberRole | null> {
  const [row] = await prisma.$queryRaw<{ readonly role: MemberRole }[]>`
    SELECT role FROM api_key JOIN member ON member.id = member_id WHERE api_key.id = ${keyId}`;
  return row?.role ?? null;
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

/** How many keys of each member work now, without the child keys below them. Members without one are missing. */
export async function countKeysOfMembers(
  { prisma }: Database,
  accountId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await prisma.$queryRaw<{ readonly member_id: string; readonly keys: number }[]>`
    SELECT member_id, count(*)::int AS keys FROM api_key
      WHERE account_id = ${accountId} AND member_id IS NOT NULL AND parent_id IS NULL AND revoked_at IS NULL
        AND coalesce(least(expires_at, grace_ends_at) > now(), true)
      GROUP BY member_id`;
  return new Map(rows.map((row) => [row.member_id, row.keys]));
}
