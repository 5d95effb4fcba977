import { hash, verify } from '@node-rs/argon2';
import { z } from 'zod';

/** Bounds the work of hashing a very long password. */
const MAX_CHARACTERS = 256;

export const newPassword = z.string().min(8, 'must have at least 8 characters').max(MAX_CHARACTERS);
export const existingPassword = z.string().min(1).max(MAX_CHARACTERS);

/** Keyboards encode an accented letter as one or two characters. Both must be the same password. */
const normalize = (password: string): string => password.normalize('NFC');

/** The library's defaults are OWASP's: argon2id, 19 MiB, two passes. */
export const hashPassword = (password: string): Promise<string> => hash(normalize(password));

/** Hashed at start: otherwise the first login with an unknown address would take longer, and reveal it. */
const decoy = hash('a password of no account');

/** Takes the same time for an unknown account, an account without a password, and a wrong password. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const isCorrect = await verify(passwordHash ?? (await decoy), normalize(password));
  return isCorrect && passwordHash !== null;
}
