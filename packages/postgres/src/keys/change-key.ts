import type { Database } from '../database.js';
import { type ApiKeyRecord, type ApiKeySettings, toKeyData, toKeyRecord, WITH_SPENDING } from './api-key-record.js';
import { findKey, KEPT, type KeyOwner, listHashesBelow } from './find-key.js';

/** The scope of keys that make keys. */
const MAKES_CHILDREN = 'keys:children';

/** A changed key, with the SHA-256 of every key that has changed with it. */
export interface ChangedKey extends ApiKeyRecord {
  readonly hashes: readonly string[];
}

/**
 * Changes the given settings only. The open keys below lose what the key may not do any more. Null: the owner has no such
 * key, or it has open children and would get caps by period, which they could not share.
 */
export async function changeKey(
  database: Database,
  owner: KeyOwner,
  id: string,
  change: Partial<ApiKeySettings> & { readonly memberId?: string | null },
): Promise<ChangedKey | null> {
  const { prisma } = database;
  if (Object.keys(change).length === 0) {
    const found = await findKey(database, owner, id);
    return found === null ? null : { ...found, hashes: [found.sha256] };
  }
  const takesChildren = change.scopes?.includes(MAKES_CHILDREN) === false;
  const hasCaps = change.caps !== undefined && change.caps.length > 0;
  const [, [changed], below] = await prisma.$transaction([
    // A child that is made meanwhile waits, or is seen by the next statement.
    prisma.$queryRaw`SELECT 1 FROM api_key
      WHERE id IN (${id}, (SELECT spending_key_id FROM api_key WHERE id = ${id})) ORDER BY id FOR NO KEY UPDATE`,
    prisma.apiKey.updateManyAndReturn({
      where: { id, ...owner, ...KEPT, ...(hasCaps && WITHOUT_CHILDREN) },
      data: toKeyData(change),
      include: WITH_SPENDING,
    }),
    prisma.$queryRaw<{ sha256: string }[]>`SELECT * FROM limit_child_keys(${owner.accountId}, ${id}, ${takesChildren})`,
  ]);
  if (changed === undefined) return null;
  const key = toKeyRecord(changed);
  // The keys below run within its concurrency, also those that did not change themselves.
  const within = change.concurrency === undefined ? [] : await listHashesBelow(database, owner.accountId, id);
  return { ...key, hashes: [...new Set([key.sha256, ...below.map(({ sha256 }) => sha256), ...within])] };
}

const WITHOUT_CHILDREN = {
  OR: [{ spendingKeyId: null, reservedNanoUsd: 0n }, { spendingKey: { reservedNanoUsd: 0n } }],
};

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
  const where = { id, ...owner, ...KEPT };
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
        SELECT child.id FROM ended JOIN api_key AS child ON child.parent_id = ended.id AND child.closed_at IS NULL
      )
      UPDATE api_key SET revoked_at = ${revokedAt} FROM ended
        WHERE api_key.id = ended.id AND parent_id IS NOT NULL AND revoked_at IS NULL
        RETURNING sha256`,
  ]);
  if (revoked === undefined) return null;
  const key = toKeyRecord(revoked);
  return { ...key, hashes: [key.sha256, ...below.map(({ sha256 }) => sha256)] };
}
