import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const newSecret = () => randomBytes(24).toString('base64url');

const NAMES = [
  'postgresPassword',
  'relaySecret',
  'batchSecret',
  'fileSecret',
  'internalToken',
  'ledgerToken',
  'adminToken',
  'demoPassword',
];

/** A key that seals others has exactly 32 bytes. */
const newSealKey = () => randomBytes(32).toString('base64');

export const newSecrets = () => ({
  ...Object.fromEntries(NAMES.map((name) => [name, newSecret()])),
  contentKey: newSealKey(),
});

/** Reads the secrets of this installation from `file` and creates those that are missing. Only the owner can read it. */
export function loadOrCreateSecrets(file) {
  const stored = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const secrets = { ...newSecrets(), ...stored };
  writePrivateJson(file, secrets);
  return secrets;
}

export function writePrivateJson(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}
