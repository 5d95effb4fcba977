import type { Database } from '../database.js';
import type { MailDetails } from '../mail/mail-record.js';

/** What the other owners read about a deletion. */
export interface Closing {
  readonly accountId: string;
  /** Who closes it. */
  readonly personId: string;
  readonly details: MailDetails;
}

/** How long the outbox tries to send the notice. */
const NOTICE_LASTS = '7 days';

/**
 * Closes an organisation for good, with a mail to each other owner in the same transaction; its books stay. False: there
 * is no open one, or another call has closed it.
 */
export async function closeAccount({ prisma }: Database, { accountId, personId, details }: Closing): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ closed: boolean }[]>`
    WITH closing AS MATERIALIZED (
      SELECT close_account(${accountId}) AS closed
    ), noticed AS (
      INSERT INTO mail (id, kind, recipient, locale, person_id, details, expires_at)
        SELECT new_public_id('mail'), 'organisation_deleted', person.email, person.locale, person.id,
          ${JSON.stringify(details)}::jsonb, now() + ${NOTICE_LASTS}::interval
        FROM closing JOIN member ON closed JOIN person ON person.id = member.person_id
        WHERE member.account_id = ${accountId} AND role = 'owner' AND removed_at IS NULL AND person.id <> ${personId}
    )
    SELECT closed FROM closing`;
  return row?.closed ?? false;
}
