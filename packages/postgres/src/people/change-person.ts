import type { Database } from '../database.js';
import { isUniqueViolation } from '../database-failure.js';
import { PERSON_FIELDS, type PersonRecord } from './person-record.js';

export interface PersonChange {
  readonly name?: string;
  readonly locale?: string;
  readonly timeZone?: string;
}

/** Changes the given fields only. */
export const changePerson = ({ prisma }: Database, id: string, change: PersonChange): Promise<PersonRecord> =>
  prisma.person.update({ where: { id }, data: { ...change }, select: PERSON_FIELDS });

/**
 * Ends the links that could take a person's login over: who has the former address or the former password may hold one.
 * It belongs into the transaction of each change of the two.
 */
const endLinks = ({ prisma }: Database, personId: string) =>
  prisma.mail.updateMany({
    where: { personId, kind: { in: ['reset', 'confirm_email'] }, usedAt: null },
    data: { usedAt: new Date(), dueAt: null },
  });

/** Gives a person another address, which a link has proved. Ends the other links. False: another person has the address. */
export async function changeEmail(database: Database, id: string, email: string): Promise<boolean> {
  const { prisma } = database;
  try {
    await prisma.$transaction([
      prisma.person.update({ where: { id }, data: { email, confirmedAt: new Date() } }),
      endLinks(database, id),
    ]);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Without effect if the person has another address by now than the one that was proved. */
export async function confirmPerson({ prisma }: Database, id: string, email: string): Promise<void> {
  await prisma.person.updateMany({ where: { id, email, confirmedAt: null }, data: { confirmedAt: new Date() } });
}

/** Changes the password, and ends all links and all sessions except the caller's (null: all), in one transaction. */
export async function changePassword(
  database: Database,
  personId: string,
  passwordHash: string,
  callerTokenSha256: string | null,
): Promise<void> {
  const { prisma } = database;
  const others = callerTokenSha256 === null ? {} : { tokenSha256: { not: callerTokenSha256 } };
  await prisma.$transaction([
    prisma.person.update({ where: { id: personId }, data: { passwordHash } }),
    prisma.session.deleteMany({ where: { personId, ...others } }),
    endLinks(database, personId),
  ]);
}
