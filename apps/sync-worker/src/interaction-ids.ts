import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const PREFIX = 'v1_';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const SEPARATOR = '\n';
const WELL_FORMED = /^v1_[A-Za-z0-9_-]{40,1000}$/;

/** Where an interaction lives: its history is with the credential that made it, and nowhere else. */
export interface InteractionPlace {
  readonly channelId: string;
  readonly upstreamId: string;
}

/**
 * Public ids of interactions. An id holds its place, sealed together with the account that it was given to: nobody can
 * read, forge or use one of another account, and no table is needed to find the way back.
 */
export class InteractionIds {
  readonly #key: Buffer;
  readonly #keys: readonly Buffer[];

  /** The first secret seals, all of them open. */
  constructor([secret, ...others]: readonly [string, ...string[]]) {
    this.#key = keyOf(secret);
    this.#keys = [this.#key, ...others.map(keyOf)];
  }

  seal({ channelId, upstreamId }: InteractionPlace, accountId: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(accountId));
    const sealed = Buffer.concat([cipher.update(`${channelId}${SEPARATOR}${upstreamId}`, 'utf8'), cipher.final()]);
    return PREFIX + Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** Undefined for an id that this gateway did not give to this account. */
  open(publicId: string, accountId: string): InteractionPlace | undefined {
    if (!WELL_FORMED.test(publicId)) return undefined;
    const bytes = Buffer.from(publicId.slice(PREFIX.length), 'base64url');
    for (const key of this.#keys) {
      const place = unseal(bytes, key, accountId);
      if (place !== undefined) return place;
    }
    return undefined;
  }
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'interaction-id', KEY_BYTES));

function unseal(bytes: Buffer, key: Buffer, accountId: string): InteractionPlace | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(accountId))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const place = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    const [channelId = '', upstreamId = ''] = place.split(SEPARATOR, 2);
    return { channelId, upstreamId };
  } catch {
    // The seal is broken: forged, of another account, or made with another secret.
    return undefined;
  }
}
