import type { Database } from '../database.js';
import { type ApiKeyRecord, type ApiKeySettings, toKeyData, toKeyRecord, WITH_SPENDING } from './api-key-record.js';
import { findKey } from './find-key.js';

/** Changes the given settings only. Null: the account has no such key. */
export async function changeKey(
  database: Database,
  accountId: string,
  id: string,
  change: Partial<ApiKeySettings>,
): Promise<ApiKeyRecord | null> {
  const where = { id, accountId, revokedAt: null };
  if (Object.keys(change).length === 0) return findKey(database, accountId, id);
  const [changed] = await database.prisma.apiKey.updateManyAndReturn({
    where,
    data: toKeyData(change),
    include: WITH_SPENDING,
  });
  return changed === undefined ? null : toKeyRecord(changed);
}

/** Revokes a key for good. Null: the account has no such key. */
export async function revokeKey(
  { prisma }: Database,
  accountId: string,
  id: string,
  revokedAt: Date,
): Promise<ApiKeyRecord | null> {
  const where = { id, accountId, revokedAt: null };
  const [revoked] = await prisma.apiKey.updateManyAndReturn({ where, data: { revokedAt }, include: WITH_SPENDING });
  return revoked === undefined ? null : toKeyRecord(revoked);
}
