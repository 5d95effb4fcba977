import type { Database } from '../database.js';
import type { MailDetails, MailKind } from './mail-record.js';

/** What a link carries: the id of the mail, and the SHA-256 of its secret. */
export interface MailSecret {
  readonly mailId: string;
  readonly secretSha256: string;
}

export interface UsedMail {
  readonly kind: MailKind;
  readonly personId: string;
  readonly recipient: string;
  readonly details: MailDetails;
}

/** Uses the link of a mail, once. Null: the link is unknown, used, expired, or of another kind. */
export async function redeemMail(
  { prisma }: Database,
  { mailId, secretSha256 }: MailSecret,
  kinds: readonly MailKind[],
): Promise<UsedMail | null> {
  const [used] = await prisma.$queryRaw<
    { kind: MailKind; person_id: string; recipient: string; details: MailDetails }[]
  >`
    UPDATE mail SET used_at = now(), due_at = NULL
      WHERE id = ${mailId} AND ${secretSha256} = ANY (secret_sha256s) AND kind = ANY (${[...kinds]}::text[])
        AND person_id IS NOT NULL AND used_at IS NULL AND expires_at > now()
      RETURNING kind, person_id, recipient, details`;
  if (used === undefined) return null;
  const { person_id: personId, ...mail } = used;
  return { ...mail, personId };
}
