import { apiKeyPrefix, hashApiKey, newApiKey, newKeyId } from '@gateway/contracts';
import type { NewApiKey } from '@gateway/postgres';

/** A key, and what is stored of it: its hash and the few characters by which people tell keys apart. */
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
