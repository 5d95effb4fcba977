import { newAccountId, newMemberId, newPersonId } from '@gateway/contracts';
import type { Database } from '../database.js';

export interface NewPerson {
  /** In lower case. */
  readonly email: string;
  readonly passwordHash: string | null;
  readonly name: string;
  readonly locale: string;
  readonly timeZone: string;
}

export interface NewOrganisation {
  readonly name: string;
  readonly timeZone: string;
}

/** Creates a person and an organisation that the person owns, in one statement. Null: the address has a person. */
export async function registerPerson(
  { prisma }: Database,
  person: NewPerson,
  organisation: NewOrganisation,
): Promise<{ readonly personId: string; readonly accountId: string } | null> {
  const [opened] = await prisma.$queryRaw<{ person_id: string; account_id: string }[]>`
    WITH registered AS (
      INSERT INTO person (id, email, password_hash, name, locale, time_zone)
        VALUES (${newPersonId()}, ${person.email}, ${person.passwordHash}, ${person.name}, ${person.locale}, ${person.timeZone})
        ON CONFLICT (email) DO NOTHING RETURNING id, email
    ), opened AS (
      INSERT INTO account (id, email, name, time_zone)
        SELECT ${newAccountId()}, email, ${organisation.name}, ${organisation.timeZone} FROM registered RETURNING id
    )
    INSERT INTO member (id, account_id, person_id, role)
      SELECT ${newMemberId()}, opened.id, registered.id, 'owner' FROM opened, registered RETURNING person_id, account_id`;
  return opened === undefined ? null : { personId: opened.person_id, accountId: opened.account_id };
}

/** Creates a further organisation of a person, and returns its id. */
export async function openOrganisation(
  { prisma }: Database,
  owner: { readonly id: string; readonly email: string },
  organisation: NewOrganisation,
): Promise<string> {
  const accountId = newAccountId();
  await prisma.$executeRaw`
    WITH opened AS (
      INSERT INTO account (id, email, name, time_zone)
        VALUES (${accountId}, ${owner.email}, ${organisation.name}, ${organisation.timeZone}) RETURNING id
    )
    INSERT INTO member (id, account_id, person_id, role) SELECT ${newMemberId()}, id, ${owner.id}, 'owner' FROM opened`;
  return accountId;
}
