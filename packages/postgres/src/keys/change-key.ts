import type { Database } from '../database.js';
import { type ApiKeyRecord, type ApiKeySettings, toKeyData, toKeyRecord, WITH_SPENDING } from './api-key-record.js';
import { findKey, type KeyOwner } from './find-key.js';

/** Changes the given settings only. Null: the owner has no such key. */
export async function changeKey(
  database: Database,
  owner: KeyOwner,
  id: string,
  change: Partial<ApiKeySettings> & { readonly memberId?: string | null },
): Promise<ApiKeyRecord | null> {
  if (Object.keys(change).length === 0) return findKey(database, owner, id);
  const [changed] = await database.prisma.apiKey.updateManyAndReturn({
    where: { id, ...owner, revokedAt: null },
    data: toKeyData(change),
    include: WITH_SPENDING,
  });
  return changed === undefined ? null : toKeyRecord(changed);
}

/** A key that is revoked now, with the SHA-256 of every key that has ended with it. */
export interface RevokedKey extends ApiKeyRecord {
  readonly hashes: readonly string[];
}

/** Revokes a key for good, and the keys below it unless another key of its chain lives on. Null: the owner has no such key. */
export async function revokeKey(
  { prisma }: Database,
  owner: KeyOwner,
  id: string,
  revokedAt: Date,
): Promise<RevokedKey | null> {
  const where = { id, ...owner, revokedAt: null };
  const [[revoked], below] = await prisma.$transaction([
    prisma.apiKey.updateManyAndReturn({ where, data: { revokedAt }, include: WITH_SPENDING }),
    prisma.$queryRaw<{ sha256: string }[]>`
      WITH RECURSIVE line AS (
        SELECT CASE WHEN parent_id IS NULL THEN coalesce(spending_key_id, id) ELSE id END AS id
          FROM api_key WHERE id = ${id} AND account_id = ${owner.accountId} AND revoked_at = ${revokedAt}
      ), ended AS (
        SELECT id FROM line WHERE NOT EXISTS (
          SELECT 1 FROM api_key AS other
            WHERE (other.id = line.id OR other.spending_key_id = line.id AND other.parent_id IS NULL)
              AND other.revoked_at IS NULL AND coalesce(least(other.expires_at, other.grace_ends_at) > now(), true))
        UNION ALL
        SELECT child.id FROM ended JOIN api_key AS child ON child.parent_id = ended.id
      )
      UPDATE api_key SET revoked_at = ${revokedAt} FROM ended
        WHERE api_key.id = ended.id AND parent_id IS NOT NULL AND revoked_at IS NULL
        RETURNING sha256`,
  ]);
  if (revoked === undefined) return null;
  const key = toKeyRecord(revoked);
  return { ...key, hashes: [key.sha256, ...below.map(({ sha256 }) => sha256)] };
}

/** Ends the keys below a key at its expiry at the latest. Returns their SHA-256. */
export async function limitChildrenExpiry({ prisma }: Database, key: ApiKeyRecord): Promise<readonly string[]> {
  if (key.expiresAt === null) return [];
  const rows = await prisma.$queryRaw<{ sha256: string }[]>`
    WITH RECURSIVE below AS (
      SELECT id FROM api_key WHERE parent_id = (
        SELECT CASE WHEN parent_id IS NULL THEN coalesce(spending_key_id, id) ELSE id END FROM api_key WHERE id = ${key.id})
      UNION ALL
      SELECT child.id FROM below JOIN api_key AS child ON child.parent_id = below.id
    )
    UPDATE api_key SET expires_at = ${key.expiresAt} FROM below
      WHERE api_key.id = below.id AND expires_at > ${key.expiresAt} RETURNING sha256`;
  return rows.map(({ sha256 }) => sha256);
}
