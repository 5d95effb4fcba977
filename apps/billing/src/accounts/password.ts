import { hash, verify } from '@node-rs/argon2';

/** The library's defaults are OWASP's: argon2id, 19 MiB, two passes. */
export const hashPassword = (password: string): Promise<string> => hash(password);

let decoy: Promise<string> | undefined;

/** Takes as long for an account that does not exist, or has no password, as for one with a wrong password. */
export async function isPasswordRight(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash('a password that nobody has');
  const isRight = await verify(passwordHash ?? (await decoy), password);
  return isRight && passwordHash !== null;
}
