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

/** Revokes a key for good. Null: the owner has no such key. */
export async function revokeKey(
  { prisma }: Database,
  owner: KeyOwner,
  id: string,
  revokedAt: Date,
): Promise<ApiKeyRecord | null> {
  const where = { id, ...owner, revokedAt: null };
  const [revoked] = await prisma.apiKey.updateManyAndReturn({ where, data: { revokedAt }, include: WITH_SPENDING });
  return revoked === undefined ? null : toKeyRecord(revoked);
}
