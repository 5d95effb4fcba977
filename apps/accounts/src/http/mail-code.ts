import { createHash, randomBytes } from 'node:crypto';
import { GatewayError } from '@gateway/contracts';
import type { MailKind, MailSecret } from '@gateway/postgres';
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

export const invalidCode = () =>
  new GatewayError('invalid_request', 'token: must be the code of a mail that is not used and not expired', {
    param: 'token',
  });

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
