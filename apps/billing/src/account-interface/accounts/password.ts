import { hash, verify } from '@node-rs/argon2';
import { z } from 'zod';

/** Long passwords are hashed too: a limit keeps that from being work for nothing. */
const MOST_CHARACTERS = 256;

export const newPassword = z.string().min(8).max(MOST_CHARACTERS);
export const givenPassword = z.string().min(1).max(MOST_CHARACTERS);

/** One keyboard writes an accented letter as one character, another as two: to a person it is the same password. */
const asTyped = (password: string): string => password.normalize('NFC');

/** The library's defaults are OWASP's: argon2id, 19 MiB, two passes. */
export const hashPassword = (password: string): Promise<string> => hash(asTyped(password));

/** Made before anybody asks: the first to try an unknown address would wait for it and know. */
const decoy = hash('a password that nobody has');

/** Takes as long for an account that does not exist, or has no password, as for one with a wrong password. */
export async function isPasswordRight(passwordHash: string | null, password: string): Promise<boolean> {
  const isRight = await verify(passwordHash ?? (await decoy), asTyped(password));
  return isRight && passwordHash !== null;
}
