import type { Database } from '../database.js';
import { type ApiKeyRecord, toKeyRecord, WITH_SPENDING } from './api-key-record.js';
import type { NewApiKey } from './create-key.js';

/**
 * Creates a key with the settings and the expiry of another one; both share one amount spent. The old key ends at
 * `graceEndsAt` at the latest. One statement, so one of the two is always valid. Null: the account has no such key.
 */
export async function rotateKey(
  { prisma }: Database,
  oldId: string,
  key: NewApiKey,
  graceEndsAt: Date,
): Promise<{ readonly created: ApiKeyRecord; readonly old: ApiKeyRecord } | null> {
  const rotated = await prisma.$queryRaw<{ readonly id: string }[]>`
    WITH old AS (
      UPDATE api_key SET grace_ends_at = least(grace_ends_at, ${graceEndsAt})
      WHERE id = ${oldId} AND account_id = ${key.accountId} AND revoked_at IS NULL
      RETURNING *
    )
    INSERT INTO api_key (id, account_id, sha256, prefix, is_test, name, models, endpoints, allowed_ips, scopes,
      requests_per_minute, concurrency, spend_cap_nano_usd, caps, expires_at, member_id, keep_contents, spending_key_id)
    SELECT ${key.id}, account_id, ${key.sha256}, ${key.prefix}, ${key.isTest}, name, models, endpoints, allowed_ips, scopes,
      requests_per_minute, concurrency, spend_cap_nano_usd, caps, expires_at, member_id, keep_contents,
      coalesce(spending_key_id, id)
    FROM old RETURNING id`;
  if (rotated.length === 0) return null;
  const read = async (id: string) =>
    toKeyRecord(await prisma.apiKey.findUniqueOrThrow({ where: { id }, include: WITH_SPENDING }));
  const [created, old] = await Promise.all([read(key.id), read(oldId)]);
  return { created, old };
}
