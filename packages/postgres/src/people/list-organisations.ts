import type { MemberRole } from '@gateway/contracts';
import { ACCOUNT_FIELDS, type AccountRecord } from '../accounts/account-record.js';
import type { Database } from '../database.js';
import { MEMBER_FIELDS, type MemberRecord, toMember } from './member-record.js';

export interface Organisation {
  readonly account: AccountRecord;
  readonly role: MemberRole;
}

/** The organisations that a person belongs to, the oldest membership first. */
export async function listOrganisations(
  { prisma }: Database,
  personId: string,
): Promise<readonly (Organisation & { readonly member: MemberRecord })[]> {
  const found = await prisma.member.findMany({
    where: { personId, removedAt: null, account: { closedAt: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { ...MEMBER_FIELDS, account: { select: ACCOUNT_FIELDS } },
  });
  return found.map(({ account, ...row }) => {
    const member = toMember(row);
    return { account, role: member.role, member };
  });
}
