import type { Database } from '../database.js';
import { PERSON_FIELDS, type PersonRecord } from './person-record.js';

export const findPerson = ({ prisma }: Database, id: string): Promise<PersonRecord | null> =>
  prisma.person.findUnique({ where: { id }, select: PERSON_FIELDS });

/** `email` is in lower case. */
export const findPersonByEmail = ({ prisma }: Database, email: string): Promise<PersonRecord | null> =>
  prisma.person.findUnique({ where: { email }, select: PERSON_FIELDS });
