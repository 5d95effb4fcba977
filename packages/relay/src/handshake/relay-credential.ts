import { createHmac, timingSafeEqual } from 'node:crypto';

const MINIMUM_SECRET_LENGTH = 32;
const MAXIMUM_CLOCK_DIFFERENCE_SECONDS = 60;
const CREDENTIAL = /^Relay ([A-Za-z0-9._:-]{1,128})\.(\d{1,12})\.([0-9a-f]{64})$/;
const WORKER_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Throws a RangeError: a short secret could be guessed, and with it anyone could answer for a model. */
export function assertRelaySecret(secret: string): void {
  if (secret.length < MINIMUM_SECRET_LENGTH) {
    throw new RangeError(`the relay secret needs at least ${MINIMUM_SECRET_LENGTH} characters`);
  }
}

/** Throws a RangeError for a worker id that the credential could not carry. */
export function assertWorkerId(workerId: string): void {
  if (!WORKER_ID.test(workerId)) {
    throw new RangeError('a worker id has 1 to 128 characters of letters, digits, dot, underscore, colon and hyphen');
  }
}

const signatureOf = (secret: string, workerId: string, unixSeconds: string): Buffer =>
  createHmac('sha256', secret).update(`relay.${workerId}.${unixSeconds}`).digest();

/** The `authorization` header with which a worker opens its socket: `Relay <workerId>.<unixSeconds>.<hmac hex>`. */
export function signRelayCredential(secret: string, workerId: string, nowMs: number): string {
  const unixSeconds = String(Math.floor(nowMs / 1000));
  return `Relay ${workerId}.${unixSeconds}.${signatureOf(secret, workerId, unixSeconds).toString('hex')}`;
}

/** The worker's id, or null if the credential is forged, malformed, or more than a minute early or late. */
export function verifyRelayCredential(secret: string, header: string | undefined, nowMs: number): string | null {
  const match = CREDENTIAL.exec(header ?? '');
  if (match === null) return null;
  const [, workerId, unixSeconds, hex] = match as unknown as [string, string, string, string];
  if (!timingSafeEqual(Buffer.from(hex, 'hex'), signatureOf(secret, workerId, unixSeconds))) return null;
  const differenceSeconds = Math.abs(nowMs / 1000 - Number(unixSeconds));
  return differenceSeconds <= MAXIMUM_CLOCK_DIFFERENCE_SECONDS ? workerId : null;
}
