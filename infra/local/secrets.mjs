import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const newSecret = () => randomBytes(24).toString('base64url');

const NAMES = ['postgresPassword', 'relaySecret', 'internalToken', 'adminToken'];

export const newSecrets = () => Object.fromEntries(NAMES.map((name) => [name, newSecret()]));

/**
 * The secrets of this installation: created once, readable by their owner only, and stored with the data they protect.
 */
export function loadSecrets(file) {
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const secrets = { ...newSecrets(), ...known };
  writePrivateJson(file, secrets);
  return secrets;
}

export function writePrivateJson(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}
