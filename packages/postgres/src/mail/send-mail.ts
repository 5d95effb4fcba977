import type { Database } from '../database.js';
import type { MailDetails, MailKind } from './mail-record.js';

export interface ClaimedMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly locale: string;
  readonly details: MailDetails;
  /** Attempts so far, with this one. */
  readonly attempts: number;
  readonly expiresAt: Date;
}

/**
 * Leases the mail that is due longest; null: none is due. `secretSha256` becomes one of the secrets of its link: the outbox
 * never holds a secret in clear. Each attempt has its own, because a mail whose attempt was interrupted may have arrived.
 */
export async function claimMail(
  { prisma }: Database,
  secretSha256: string,
  leaseMs: number,
): Promise<ClaimedMail | null> {
  const [row] = await prisma.$queryRaw<(Omit<ClaimedMail, 'expiresAt'> & { expires_at: Date })[]>`
    UPDATE mail SET attempts = attempts + 1, secret_sha256s = secret_sha256s || ${secretSha256}::text,
        due_at = now() + ${leaseMs}::int * interval '1 millisecond'
      WHERE id = (SELECT id FROM mail WHERE due_at <= now() AND expires_at > now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, kind, recipient, locale, details, attempts, expires_at`;
  if (row === undefined) return null;
  const { expires_at: expiresAt, ...mail } = row;
  return { ...mail, expiresAt };
}

export async function markMailSent({ prisma }: Database, id: string): Promise<void> {
  await prisma.mail.update({ where: { id }, data: { sentAt: new Date(), dueAt: null, lastError: null } });
}

/** `retryAt`: null if the mail is given up. */
export async function markMailFailed(
  { prisma }: Database,
  id: string,
  error: string,
  retryAt: Date | null,
): Promise<void> {
  await prisma.mail.update({ where: { id }, data: { lastError: error, dueAt: retryAt } });
}

/** Milliseconds since the oldest unsent mail was written; 0: none waits. */
export async function mailDelayMs({ prisma }: Database): Promise<number> {
  const [oldest] = await prisma.$queryRaw<{ createdAt: Date | null }[]>`
    SELECT min(created_at) AS "createdAt" FROM mail WHERE due_at IS NOT NULL AND expires_at > now()`;
  return oldest?.createdAt == null ? 0 : Math.max(0, Date.now() - oldest.createdAt.getTime());
}

/** Removes mails whose link has ended a week ago. */
export async function removeExpiredMails({ prisma }: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 7 * 24 * 60 * 60 * 1_000);
  await prisma.$executeRaw`DELETE FROM mail WHERE expires_at <= ${before}`;
}
