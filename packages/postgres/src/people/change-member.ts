import type { Cap, MemberRole } from '@gateway/contracts';
import type { Database } from '../database.js';

/** `last_owner`: an organisation keeps at least one owner. */
export type MemberOutcome = 'changed' | 'unknown' | 'last_owner';

interface MemberKey {
  readonly accountId: string;
  readonly memberId: string;
}

/** What becomes of a member's keys: they end, the organisation gets them, or they go on as they are. */
export type KeysOfMember = 'revoke' | 'hand_over' | 'keep';

interface Change {
  /** Null: it stays. */
  readonly role: MemberRole | null;
  readonly isRemoved: boolean;
  readonly keys: KeysOfMember;
}

async function change(
  { prisma }: Database,
  { accountId, memberId }: MemberKey,
  { role, isRemoved, keys }: Change,
): Promise<MemberOutcome> {
  const [row] = await prisma.$queryRaw<{ outcome: MemberOutcome }[]>`
    SELECT change_member(${accountId}, ${memberId}, ${role}, ${isRemoved}, ${keys === 'hand_over'}, ${keys !== 'keep'}) AS outcome`;
  if (row === undefined) throw new Error('change_member returned no row');
  return row.outcome;
}

/** `role` null: only the keys change. */
export const changeMemberRole = (
  database: Database,
  member: MemberKey,
  role: MemberRole | null,
  keys: KeysOfMember = 'keep',
): Promise<MemberOutcome> => change(database, member, { role, isRemoved: false, keys });

/** Removes a member and ends what lets the person in. The keys go to the organisation, or are revoked. */
export const removeMember = (
  database: Database,
  member: MemberKey,
  keys: Exclude<KeysOfMember, 'keep'>,
): Promise<MemberOutcome> => change(database, member, { role: null, isRemoved: true, keys });

/** False: there is no such member. */
export async function changeMemberCaps(
  { prisma }: Database,
  { accountId, memberId }: MemberKey,
  caps: readonly Cap[],
): Promise<boolean> {
  const data = { caps: caps.map((cap) => ({ ...cap })) };
  return (await prisma.member.updateMany({ where: { id: memberId, accountId, removedAt: null }, data })).count > 0;
}
