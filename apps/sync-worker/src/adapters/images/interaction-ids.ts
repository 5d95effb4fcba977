import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const PREFIX = 'v1_';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const SEPARATOR = '\n';
const WELL_FORMED = /^v1_[A-Za-z0-9_-]{40,1000}$/;

/** Only the credential that created an interaction can continue it. */
export interface InteractionLocation {
  readonly channelId: string;
  readonly upstreamId: string;
}

/**
 * Converts interactions' locations to public ids and back, without a table.
 * An id is sealed (AES-256-GCM) for one account: no other account can read, forge or use it.
 */
export class InteractionIds {
  readonly #key: Buffer;
  readonly #keys: readonly Buffer[];

  /** The first secret seals; every secret opens, so that secrets can be rotated. */
  constructor([secret, ...others]: readonly [string, ...string[]]) {
    this.#key = keyOf(secret);
    this.#keys = [this.#key, ...others.map(keyOf)];
  }

  seal({ channelId, upstreamId }: InteractionLocation, accountId: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(accountId));
    const sealed = Buffer.concat([cipher.update(`${channelId}${SEPARATOR}${upstreamId}`, 'utf8'), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** Undefined for an id that this gateway did not issue to this account. */
  open(publicId: string, accountId: string): InteractionLocation | undefined {
    if (!WELL_FORMED.test(publicId)) return undefined;
    const bytes = Buffer.from(publicId.slice(PREFIX.length), 'base64url');
    for (const key of this.#keys) {
      const location = unseal(bytes, key, accountId);
      if (location !== undefined) return location;
    }
    return undefined;
  }
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'interaction-id', KEY_BYTES));

function unseal(bytes: Buffer, key: Buffer, accountId: string): InteractionLocation | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(accountId))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    const [channelId = '', upstreamId = ''] = plain.split(SEPARATOR, 2);
    return { channelId, upstreamId };
  } catch {
    // Forged, issued to another account, or sealed with another secret.
    return undefined;
  }
}
