import { createHash, randomBytes } from 'node:crypto';
import { GatewayError } from '@gateway/contracts';
import { type Database, type LinkFault, type MailKind, type MailSecret, readLinkFault } from '@gateway/postgres';
import { z } from 'zod';

const CODE = /^mail_[a-z2-7]{26}\.[\w-]{43}$/;

/** The code of a link, as a person may also type it. */
export const mailCode = z.string().trim().regex(CODE, 'must be the code of a mail');

const sha256 = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A new secret with 256 random bits, and its stored form. */
export function newMailSecret(): { readonly secret: string; readonly secretSha256: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, secretSha256: sha256(secret) };
}

export const codeOf = (mailId: string, secret: string): string => `${mailId}.${secret}`;

export function parseCode(code: string): MailSecret {
  const [mailId = '', secret = ''] = code.split('.');
  return { mailId, secretSha256: sha256(secret) };
}

const FAULTS: Readonly<Record<LinkFault, string>> = {
  used: 'the code was used already, or a later mail replaced it, or your login has changed since',
  expired: 'the code has expired',
  withdrawn: 'the invitation was withdrawn, or a later one replaced it',
  unknown: 'must be the whole code of a mail of this kind',
};

/** The refusal of a code, with the reason. */
export async function refuseCode(
  database: Database,
  link: MailSecret,
  purpose: 'invitation' | 'person',
): Promise<never> {
  const fault = await readLinkFault(database, link, purpose);
  throw new GatewayError('invalid_request', `token: ${FAULTS[fault]}`, { param: 'token' });
}

/** The pages of the console that use the codes. Kinds without a page have no link. */
const PAGES: Readonly<Partial<Record<MailKind, string>>> = {
  confirm: 'confirm',
  confirm_email: 'confirm',
  reset: 'reset-password',
  invitation: 'accept-invitation',
};

/** Null: a mail of this kind has no link. */
export const linkOf = (publicAccountUrl: string, kind: MailKind, code: string): string | null =>
  PAGES[kind] === undefined ? null : `${publicAccountUrl}/console/${PAGES[kind]}?token=${code}`;
