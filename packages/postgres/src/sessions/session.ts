import { ACCOUNT_FIELDS, type AccountRecord } from '../accounts/account-record.js';
import type { Database } from '../database.js';
import { MEMBER_FIELDS, type MemberRecord, toMember } from '../people/member-record.js';
import { PERSON_FIELDS, type PersonRecord } from '../people/person-record.js';

export interface NewSession {
  readonly tokenSha256: string;
  readonly personId: string;
  /** The chosen organisation; null: none. */
  readonly accountId: string | null;
  readonly userAgent: string;
  readonly ip: string;
  readonly expiresAt: Date;
}

/** A session with its person, and with the chosen organisation if the person still belongs to it. */
export interface FoundSession {
  readonly id: string;
  readonly lastSeenAt: Date;
  readonly person: PersonRecord;
  readonly organisation: { readonly account: AccountRecord; readonly member: MemberRecord } | null;
}

export async function openSession({ prisma }: Database, session: NewSession): Promise<void> {
  await prisma.session.create({ data: session });
}

/** Null: there is no such session, or it has expired. */
export async function findSession({ prisma }: Database, tokenSha256: string, now: Date): Promise<FoundSession | null> {
  const session = await prisma.session.findFirst({
    where: { tokenSha256, expiresAt: { gt: now }, personId: { not: null } },
    select: {
      id: true,
      accountId: true,
      lastSeenAt: true,
      person: {
        select: {
          ...PERSON_FIELDS,
          members: {
            where: { removedAt: null, account: { closedAt: null } },
            select: { ...MEMBER_FIELDS, account: { select: ACCOUNT_FIELDS } },
          },
        },
      },
    },
  });
  if (session === null || session.person === null) return null;
  const { members, ...person } = session.person;
  const chosen = members.find(({ accountId }) => accountId === session.accountId);
  if (chosen === undefined) return { id: session.id, lastSeenAt: session.lastSeenAt, person, organisation: null };
  const { account, ...member } = chosen;
  return {
    id: session.id,
    lastSeenAt: session.lastSeenAt,
    person,
    organisation: { account, member: toMember(member) },
  };
}

/** Records that a session is in use. Sessions that are seen often are written rarely: `before` is the last time that counts. */
export async function touchSession({ prisma }: Database, id: string, ip: string, before: Date): Promise<void> {
  await prisma.session.updateMany({ where: { id, lastSeenAt: { lt: before } }, data: { lastSeenAt: new Date(), ip } });
}

/** Chooses another organisation for a session; null: none. */
export async function chooseOrganisation({ prisma }: Database, id: string, accountId: string | null): Promise<void> {
  await prisma.session.updateMany({ where: { id }, data: { accountId } });
}

export async function closeSession({ prisma }: Database, tokenSha256: string): Promise<void> {
  await prisma.session.deleteMany({ where: { tokenSha256 } });
}
