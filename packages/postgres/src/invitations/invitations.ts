import { type MemberRole, newInvitationId, newMailId } from '@gateway/contracts';
import type { Database } from '../database.js';

export type InvitationState = 'pending' | 'accepted' | 'revoked' | 'expired';

export interface InvitationRecord {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly state: InvitationState;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When its mail was sent last; null: not yet. */
  readonly sentAt: Date | null;
}

export interface NewInvitation {
  readonly accountId: string;
  /** In lower case. */
  readonly email: string;
  readonly role: MemberRole;
  /** A person. */
  readonly invitedBy: string;
  readonly locale: string;
  readonly details: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
}

const FIELDS = { id: true, email: true, role: true, createdAt: true, expiresAt: true } as const;

/**
 * Invites an address, in one statement with its mail. It replaces an earlier invitation that is still pending. Null: the
 * person is no owner any more. The lock of the member makes a removal wait, which then finds the invitation.
 */
export async function createInvitation({ prisma }: Database, invitation: NewInvitation): Promise<string | null> {
  const id = newInvitationId();
  const { accountId, email, role, invitedBy, locale, details, expiresAt } = invitation;
  const invited = await prisma.$executeRaw`
    WITH inviter AS (
      SELECT account_id, person_id FROM member
        WHERE account_id = ${accountId} AND person_id = ${invitedBy} AND role = 'owner' AND removed_at IS NULL FOR SHARE
    ), replaced AS (
      UPDATE invitation SET revoked_at = now() FROM inviter
        WHERE invitation.account_id = inviter.account_id AND email = ${email} AND accepted_at IS NULL AND revoked_at IS NULL
    ), invited AS (
      INSERT INTO invitation (id, account_id, email, role, invited_by, expires_at)
        SELECT ${id}, account_id, ${email}, ${role}, person_id, ${expiresAt} FROM inviter RETURNING id
    )
    INSERT INTO mail (id, kind, recipient, locale, invitation_id, details, expires_at)
      SELECT ${newMailId()}, 'invitation', ${email}, ${locale}, id, ${JSON.stringify(details)}::jsonb, ${expiresAt} FROM invited`;
  return invited === 0 ? null : id;
}

/** Sends the mail of an invitation once more, and lets it last until `expiresAt`. False: it is not pending or expired. */
export async function resendInvitation(
  { prisma }: Database,
  accountId: string,
  id: string,
  expiresAt: Date,
): Promise<boolean> {
  const sent = await prisma.$executeRaw`
    WITH renewed AS (
      UPDATE invitation SET expires_at = ${expiresAt}
        WHERE id = ${id} AND account_id = ${accountId} AND accepted_at IS NULL AND revoked_at IS NULL RETURNING id
    )
    INSERT INTO mail (id, kind, recipient, locale, invitation_id, details, expires_at)
      SELECT DISTINCT ON (renewed.id) ${newMailId()}, kind, recipient, locale, renewed.id, details, ${expiresAt}
        FROM renewed JOIN mail ON mail.invitation_id = renewed.id ORDER BY renewed.id, mail.created_at DESC`;
  return sent > 0;
}

/** False: there is no such invitation, or it is accepted or revoked. */
export async function revokeInvitation({ prisma }: Database, accountId: string, id: string): Promise<boolean> {
  const where = { id, accountId, acceptedAt: null, revokedAt: null };
  return (await prisma.invitation.updateMany({ where, data: { revokedAt: new Date() } })).count > 0;
}

/** The invitations of an account, the newest first; at most 200. */
export async function listInvitations(
  { prisma }: Database,
  accountId: string,
  now: Date,
): Promise<readonly InvitationRecord[]> {
  const found = await prisma.invitation.findMany({
    where: { accountId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 200,
    select: {
      ...FIELDS,
      invitedBy: true,
      acceptedAt: true,
      revokedAt: true,
      mails: { orderBy: { createdAt: 'desc' }, take: 1, select: { sentAt: true } },
    },
  });
  return found.map(({ acceptedAt, revokedAt, mails, role, ...row }) => ({
    ...row,
    role: role as MemberRole,
    sentAt: mails[0]?.sentAt ?? null,
    state: stateOf({ acceptedAt, revokedAt, expiresAt: row.expiresAt }, now),
  }));
}

function stateOf(
  { acceptedAt, revokedAt, expiresAt }: { acceptedAt: Date | null; revokedAt: Date | null; expiresAt: Date },
  now: Date,
): InvitationState {
  if (acceptedAt !== null) return 'accepted';
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= now ? 'expired' : 'pending';
}
