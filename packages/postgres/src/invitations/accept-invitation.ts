import { type MemberRole, newMemberId, newPersonId } from '@gateway/contracts';
import type { Database } from '../database.js';
import type { MailSecret } from '../mail/use-mail.js';

export interface OpenInvitation {
  readonly email: string;
  readonly role: MemberRole;
  readonly organisation: string;
  /** A person has proved the address, and needs no new password. */
  readonly isAddressProved: boolean;
}

/** The pending invitation of a link, which stays unused. */
export async function findInvitation(
  { prisma }: Database,
  { mailId, secretSha256 }: MailSecret,
): Promise<OpenInvitation | null> {
  const [found] = await prisma.$queryRaw<OpenInvitation[]>`
    SELECT invitation.email, invitation.role, coalesce(nullif(account.name, ''), account.email) AS organisation, person.confirmed_at IS NOT NULL AS "isAddressProved"
      FROM mail JOIN invitation ON invitation.id = invitation_id
        JOIN account ON account.id = invitation.account_id AND closed_at IS NULL
        LEFT JOIN person ON person.email = invitation.email
      WHERE mail.id = ${mailId} AND ${secretSha256} = ANY (secret_sha256s) AND mail.used_at IS NULL
        AND accepted_at IS NULL AND revoked_at IS NULL AND invitation.expires_at > now()`;
  return found ?? null;
}

export interface NewMemberPerson {
  readonly passwordHash: string;
  readonly name: string;
  readonly locale: string;
}

/**
 * Makes the person of the invited address a member, in one statement, once. `person`: null if a person has proved the address.
 * Somebody else may have registered an address without proof: the bearer of the link takes that login over.
 * A present member keeps the role. Null: the invitation is not pending any more.
 */
export async function acceptInvitation(
  { prisma }: Database,
  { mailId, secretSha256 }: MailSecret,
  person: NewMemberPerson | null,
): Promise<{ readonly accountId: string; readonly personId: string } | null> {
  const [joined] = await prisma.$queryRaw<{ account_id: string; person_id: string }[]>`
    WITH used AS (
      UPDATE mail SET used_at = now(), due_at = NULL
        WHERE id = ${mailId} AND ${secretSha256} = ANY (secret_sha256s) AND used_at IS NULL RETURNING invitation_id
    ), accepted AS (
      UPDATE invitation SET accepted_at = now() FROM used
        WHERE id = used.invitation_id AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()
          AND EXISTS (SELECT 1 FROM account WHERE account.id = account_id AND closed_at IS NULL)
        RETURNING account_id, email, role
    ), registered AS (
      INSERT INTO person (id, email, password_hash, name, locale, confirmed_at)
        SELECT ${newPersonId()}, email, ${person?.passwordHash ?? null}, ${person?.name ?? ''}, ${person?.locale ?? 'en'}, now()
          FROM accepted WHERE ${person !== null}
        ON CONFLICT (email) DO UPDATE SET password_hash = excluded.password_hash, name = excluded.name,
            locale = excluded.locale, confirmed_at = excluded.confirmed_at
          WHERE person.confirmed_at IS NULL RETURNING id
    ), logged_out AS (
      DELETE FROM session USING registered WHERE person_id = registered.id
    ), unlinked AS (
      UPDATE mail SET used_at = now(), due_at = NULL FROM registered
        WHERE person_id = registered.id AND kind IN ('reset', 'confirm_email') AND mail.used_at IS NULL
    ), joining AS (
      SELECT id FROM registered
      UNION ALL
      SELECT person.id FROM person JOIN accepted USING (email) WHERE person.confirmed_at IS NOT NULL
    )
    INSERT INTO member AS known (id, account_id, person_id, role)
      SELECT ${newMemberId()}, account_id, joining.id, role FROM accepted, joining
      ON CONFLICT (account_id, person_id) DO UPDATE SET removed_at = NULL,
        role = CASE WHEN known.removed_at IS NULL THEN known.role ELSE excluded.role END
      RETURNING account_id, person_id`;
  return joined === undefined ? null : { accountId: joined.account_id, personId: joined.person_id };
}
