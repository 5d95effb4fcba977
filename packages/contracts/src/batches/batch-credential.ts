import { createHmac, timingSafeEqual } from 'node:crypto';

const SCHEME = 'Batch ';
const CREDENTIAL = /^Batch ([A-Za-z0-9_-]{1,1024})\.([0-9a-f]{64})$/;

/** The right to send the lines of one batch for the key that created it. The key's own state and limits still count. */
export interface BatchGrant {
  readonly batchId: string;
  readonly keySha256: string;
  /** Nano-USD as digits; null: no budget. */
  readonly budgetNanoUsd: string | null;
  /** What its recorded lines cost, in nano-USD as digits. */
  readonly spentNanoUsd: string;
  /** When the budget is forgotten, in Unix milliseconds. */
  readonly budgetEndsAtMs: number;
  /** Unix milliseconds. */
  readonly expiresAtMs: number;
}

const signatureOf = (secret: string, payload: string): Buffer =>
  createHmac('sha256', secret).update(`batch.${payload}`).digest();

/** The `authorization` header of a line: `Batch <base64url of the grant>.<hmac hex>`. */
export function signBatchGrant(secret: string, grant: BatchGrant): string {
  const payload = Buffer.from(JSON.stringify(grant)).toString('base64url');
  return `${SCHEME}${payload}.${signatureOf(secret, payload).toString('hex')}`;
}

export const isBatchCredential = (header: string | undefined): header is string => header?.startsWith(SCHEME) === true;

/** Null if the credential is malformed, forged or older than its time. */
export function verifyBatchGrant(secrets: readonly string[], header: string, nowMs: number): BatchGrant | null {
  const [, payload, signature] = CREDENTIAL.exec(header) ?? [];
  if (payload === undefined || signature === undefined) return null;
  const given = Buffer.from(signature, 'hex');
  if (!secrets.some((secret) => timingSafeEqual(given, signatureOf(secret, payload)))) return null;
  const grant = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as BatchGrant;
  return grant.expiresAtMs > nowMs ? grant : null;
}
