import { z } from 'zod';

const SEAL_KEY_BYTES = 32;

/** Comma-separated keys of 32 bytes in base64. The first seals, all of them open. */
const sealKeys = z
  .string()
  .default('')
  .transform((list) => list.split(',').filter((key) => key.trim() !== ''))
  .transform((keys) => keys.map((key) => Buffer.from(key.trim(), 'base64')))
  .refine((keys) => keys.every((key) => key.length === SEAL_KEY_BYTES), 'must be keys of 32 bytes in base64');

/** What every service that handles webhook addresses has. */
export const webhookAddressVariables = {
  /** Lets webhooks go to http, to any port and to addresses of this machine: for development and tests. */
  WEBHOOK_ALLOW_INSECURE: z.stringbool('must be true or false').default(false),
};

/** What the services that sign webhooks, or tell their secrets, have besides. */
export const webhookSecretVariables = {
  /** Encrypts signing secrets in the database; without it they lie there as they are. */
  WEBHOOK_SECRET_KEYS: sealKeys,
};

interface Checked {
  readonly value: { readonly NODE_ENV: string; readonly WEBHOOK_ALLOW_INSECURE: boolean };
  readonly issues: object[];
}

/** In production no customer's address may lead into our own network. */
export function refuseInsecureWebhooksInProduction({ value, issues }: Checked): void {
  if (value.NODE_ENV !== 'production' || !value.WEBHOOK_ALLOW_INSECURE) return;
  const path = ['WEBHOOK_ALLOW_INSECURE'];
  issues.push({ code: 'custom', path, message: 'must not be set in production', input: undefined });
}
