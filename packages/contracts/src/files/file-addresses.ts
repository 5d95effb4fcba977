import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { FileLink } from '../api/files.js';
import { GatewayError } from '../errors/gateway-error.js';

/** Separates these signatures from all other uses of the secret. */
const USE = 'address of a file';

/** How long the addresses in records of tasks open: as long as those of vendors. */
export const RESULT_LINK_SECONDS = 24 * 3_600;

/** Addresses of files that need no key until they expire. A rotated secret still opens the addresses that it signed. */
export class FileAddresses {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #signingKeyId: string;

  /** The first secret signs, all open. */
  constructor(secrets: readonly [string, ...string[]]) {
    const keys = secrets.map((secret) => createHmac('sha256', secret).update(USE).digest());
    this.#keys = new Map(keys.map((key) => [keyIdOf(key), key]));
    this.#signingKeyId = keyIdOf(keys[0] as Buffer);
  }

  /** `origin`: the scheme and the host by which clients reach the gateway. */
  sign(origin: string, fileId: string, expiresInSeconds: number): FileLink {
    const expiresAt = Math.floor(Date.now() / 1_000) + expiresInSeconds;
    const key = this.#keys.get(this.#signingKeyId) as Buffer;
    const query = new URLSearchParams({
      expires: String(expiresAt),
      signing_key: this.#signingKeyId,
      signature: signatureOf(key, fileId, String(expiresAt)).toString('base64url'),
    });
    return { object: 'file.link', url: `${origin}/v1/files/${fileId}/content?${query}`, expires_at: expiresAt };
  }

  /** Throws 403 for a wrong signature and for an address whose time is over. */
  verify(fileId: string, { expires, signing_key: keyId, signature }: Readonly<Record<string, unknown>>): void {
    const key = typeof keyId === 'string' ? this.#keys.get(keyId) : undefined;
    if (key === undefined || typeof expires !== 'string' || typeof signature !== 'string') throw wrongAddress();
    const expected = signatureOf(key, fileId, expires);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw wrongAddress();
    if (Number(expires) * 1_000 <= Date.now()) throw expired();
  }
}

/** Names a key, and does not reveal it. */
const keyIdOf = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

const signatureOf = (key: Buffer, fileId: string, expires: string): Buffer =>
  createHmac('sha256', key).update(`${fileId}\n${expires}`).digest();

const wrongAddress = (): GatewayError =>
  new GatewayError('permission_denied', "'signature': expected the address as it was signed.", { param: 'signature' });

const expired = (): GatewayError =>
  new GatewayError('permission_denied', "'expires': the address has expired. Request a new one with your key.", {
    param: 'expires',
  });
