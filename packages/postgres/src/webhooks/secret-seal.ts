import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Names the key of a sealed secret, so that several keys can be in use during a rotation. */
const nameOf = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 8);

/**
 * Encrypts signing secrets, which must stay readable, with a key that the database does not have, bound to their
 * account. Without a key they are stored in clear.
 */
export interface SecretSeal {
  /** The prefix of secrets that are sealed with the current key. Empty: there is no key, and nothing is sealed again. */
  readonly currentPrefix: string;
  seal(secret: string, accountId: string): string;
  /** Throws an error for which `isSealBroken` is true, if the key is not configured or the account is another one. */
  open(sealed: string, accountId: string): string;
}

/** A stored secret that no configured key opens. */
class BrokenSeal extends Error {
  override readonly name = 'BrokenSeal';
}

/** Compares the name, not the class: the error may come from another copy of this module. */
export const isSealBroken = (error: unknown): boolean => error instanceof Error && error.name === 'BrokenSeal';

/** The first key seals, all keys open: put a new one in front to replace one. Each has 32 bytes. */
export function secretSeal(keys: readonly Buffer[]): SecretSeal {
  const [current] = keys;
  const currentPrefix = current === undefined ? '' : `gcm.${nameOf(current)}.`;
  return {
    currentPrefix,
    seal(secret, accountId) {
      if (current === undefined) return `plain.${secret}`;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, current, iv).setAAD(Buffer.from(accountId));
      const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${currentPrefix}${sealed.toString('base64')}`;
    },
    open(sealed, accountId) {
      if (sealed.startsWith('plain.')) return sealed.slice('plain.'.length);
      const [, name, text = ''] = sealed.split('.');
      const key = keys.find((candidate) => nameOf(candidate) === name);
      if (key === undefined) throw new BrokenSeal('a webhook secret was sealed with a key that is not configured');
      const bytes = Buffer.from(text, 'base64');
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
          .setAAD(Buffer.from(accountId))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
      } catch (cause) {
        throw new BrokenSeal('a webhook secret was changed, or belongs to another account', { cause });
      }
    },
  };
}
