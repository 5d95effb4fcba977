import { createHmac, timingSafeEqual } from 'node:crypto';

const MIN_SECRET_LENGTH = 32;
const MAX_CLOCK_DIFFERENCE_SECONDS = 60;
const CREDENTIAL = /^Relay ([A-Za-z0-9._:-]{1,128})\.(\d{1,12})\.([0-9a-f]{64})$/;
const WORKER_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Throws a RangeError for a short secret: an attacker who guesses it can send responses to clients. */
export function assertRelaySecret(secret: string): void {
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new RangeError(`the relay secret must have at least ${MIN_SECRET_LENGTH} characters`);
  }
}

/** Throws a RangeError for a worker id that does not fit into the credential. */
export function assertWorkerId(workerId: string): void {
  if (!WORKER_ID.test(workerId)) {
    throw new RangeError('workerId must have 1 to 128 letters, digits, dots, underscores, colons or hyphens');
  }
}

const signatureOf = (secret: string, workerId: string, unixSeconds: string): Buffer =>
  createHmac('sha256', secret).update(`relay.${workerId}.${unixSeconds}`).digest();

/** The worker's `authorization` header: `Relay <workerId>.<unixSeconds>.<hmac hex>`. */
export function signRelayCredential(secret: string, workerId: string, nowMs: number): string {
  const unixSeconds = String(Math.floor(nowMs / 1000));
  return `Relay ${workerId}.${unixSeconds}.${signatureOf(secret, workerId, unixSeconds).toString('hex')}`;
}

/** The worker's id; null if the credential is forged, malformed, or differs from our clock by more than a minute. */
export function verifyRelayCredential(secret: string, header: string | undefined, nowMs: number): string | null {
  const match = CREDENTIAL.exec(header ?? '');
  if (match === null) return null;
  const [, workerId, unixSeconds, signature] = match as unknown as [string, string, string, string];
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), signatureOf(secret, workerId, unixSeconds))) return null;
  const differenceSeconds = Math.abs(nowMs / 1000 - Number(unixSeconds));
  return differenceSeconds <= MAX_CLOCK_DIFFERENCE_SECONDS ? workerId : null;
}
