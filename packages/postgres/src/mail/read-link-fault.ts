import type { Database } from '../database.js';
import type { MailSecret } from './use-mail.js';

/** Why a link does not work. `unknown` also for a code of another kind of mail: it discloses nothing. */
export type LinkFault = 'used' | 'expired' | 'withdrawn' | 'unknown';

/** Only the holder of the code learns more than `unknown`. */
export async function readLinkFault(
  { prisma }: Database,
  { mailId, secretSha256 }: MailSecret,
  purpose: 'invitation' | 'person',
): Promise<LinkFault> {
  const [found] = await prisma.$queryRaw<{ fault: LinkFault }[]>`
    SELECT CASE
        WHEN invitation.revoked_at IS NOT NULL OR account.closed_at IS NOT NULL THEN 'withdrawn'
        WHEN mail.used_at IS NOT NULL OR invitation.accepted_at IS NOT NULL THEN 'used'
        WHEN coalesce(invitation.expires_at, mail.expires_at) <= now() THEN 'expired'
        ELSE 'unknown' END AS fault
      FROM mail LEFT JOIN invitation ON invitation.id = invitation_id
        LEFT JOIN account ON account.id = invitation.account_id
      WHERE mail.id = ${mailId} AND ${secretSha256} = ANY (secret_sha256s)
        AND (invitation_id IS NOT NULL) = ${purpose === 'invitation'}`;
  return found?.fault ?? 'unknown';
}
