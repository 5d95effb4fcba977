import { createHmac } from 'node:crypto';
import { newId } from '../vendor-ids.js';

const SECRET = 'simulated-openai';
const PREFIX = 'gAAAAAB';
/** Of an HMAC with SHA-256 in base64url. */
const SIGNATURE_LENGTH = 43;
const DEFAULT_ORGANIZATION = 'org-simulated';

/** A credential that contains `org-…` belongs to that organization. */
export const organizationOf = (credential: string | undefined): string =>
  /org-[a-z0-9]+/.exec(credential ?? '')?.[0] ?? DEFAULT_ORGANIZATION;

const signatureOf = (payload: string): string => createHmac('sha256', SECRET).update(payload).digest('base64url');

/** The opaque content of a reasoning item. Only its organization can carry it back. */
export const sealReasoning = (organization: string): string => {
  const payload = Buffer.from(JSON.stringify({ organization, nonce: newId(24) })).toString('base64url');
  return `${PREFIX}${payload}${signatureOf(payload)}`;
};

/** Why the vendor refuses the content, in its words. Undefined for content of the organization. */
export const sealFault = (content: string, organization: string): string | undefined => {
  const payload = content.slice(PREFIX.length, -SIGNATURE_LENGTH);
  if (!content.startsWith(PREFIX) || content.slice(-SIGNATURE_LENGTH) !== signatureOf(payload)) {
    return 'Encrypted content could not be decrypted or parsed.';
  }
  const sealed = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { readonly organization: string };
  return sealed.organization === organization
    ? undefined
    : 'Encrypted content organization_id did not match the target organization.';
};
