import type { Cap, MemberRole } from '@gateway/contracts';
import type { Database } from '../database.js';

/** `last_owner`: an organisation keeps at least one owner. */
export type MemberOutcome = 'changed' | 'unknown' | 'last_owner';

interface MemberKey {
  readonly accountId: string;
  readonly memberId: string;
}

async function change(
  { prisma }: Database,
  { accountId, memberId }: MemberKey,
  role: MemberRole | null,
  removal: { readonly handsOver: boolean } | null,
): Promise<MemberOutcome> {
  const [row] = await prisma.$queryRaw<{ outcome: MemberOutcome }[]>`
    SELECT change_member(${accountId}, ${memberId}, ${role}, ${removal !== null}, ${removal?.handsOver === true}) AS outcome`;
  if (row === undefined) throw new Error('change_member returned no row');
  return row.outcome;
}

export const changeMemberRole = (database: Database, member: MemberKey, role: MemberRole): Promise<MemberOutcome> =>
  change(database, member, role, null);

/** Removes a member and ends what lets the person in. The keys go to the organisation, or are revoked. */
export const removeMember = (
  database: Database,
  member: MemberKey,
  removal: { readonly handsOver: boolean },
): Promise<MemberOutcome> => change(database, member, null, removal);

/** False: there is no such member. */
export async function changeMemberCaps(
  { prisma }: Database,
  { accountId, memberId }: MemberKey,
  caps: readonly Cap[],
): Promise<boolean> {
  const data = { caps: caps.map((cap) => ({ ...cap })) };
  return (await prisma.member.updateMany({ where: { id: memberId, accountId, removedAt: null }, data })).count > 0;
}
