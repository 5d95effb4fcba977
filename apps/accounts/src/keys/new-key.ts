import { apiKeyPrefix, hashApiKey, newApiKey, newKeyId } from '@gateway/contracts';
import type { NewApiKey } from '@gateway/postgres';

/** A key, and its stored form: the hash, and the prefix by which people recognize it. */
export function makeKey(accountId: string, key: string = newApiKey()): { key: string; stored: NewApiKey } {
  const stored = {
    id: newKeyId(),
    accountId,
    sha256: hashApiKey(key),
    prefix: apiKeyPrefix(key),
    isTest: key.startsWith('sk-test-'),
  };
  return { key, stored };
}
