import type { Database } from '../database.js';
import { Prisma } from '../generated/client.js';
import type { ApiKeyRecord } from './api-key-record.js';
import type { NewApiKey } from './create-key.js';

/**
 * A new key with the settings, and what was spent, of an old one that lives on until `oldExpiresAt` at most. One
 * statement, so there is never neither. Null if this account has no such key.
 */
export async function rotateKey(
  { prisma }: Database,
  oldId: string,
  key: NewApiKey,
  oldExpiresAt: Date,
): Promise<{ readonly created: ApiKeyRecord; readonly old: ApiKeyRecord } | null> {
  const rotated = await prisma.$queryRaw<{ readonly id: string }[]>(Prisma.sql`
    WITH old AS (
      UPDATE api_key SET expires_at = least(expires_at, ${oldExpiresAt})
      WHERE id = ${oldId} AND account_id = ${key.accountId} AND revoked_at IS NULL
      RETURNING *
    )
    INSERT INTO api_key (id, account_id, sha256, prefix, is_test, name, models, endpoints, allowed_ips,
      requests_per_minute, concurrency, spend_cap_nano_usd, spent_nano_usd)
    SELECT ${key.id}, account_id, ${key.sha256}, ${key.prefix}, ${key.isTest}, name, models, endpoints, allowed_ips,
      requests_per_minute, concurrency, spend_cap_nano_usd, spent_nano_usd
    FROM old RETURNING id`);
  if (rotated.length === 0) return null;
  const [created, old] = await Promise.all([
    prisma.apiKey.findUniqueOrThrow({ where: { id: key.id } }),
    prisma.apiKey.findUniqueOrThrow({ where: { id: oldId } }),
  ]);
  return { created, old };
}
