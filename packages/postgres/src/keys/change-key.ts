import type { Database } from '../database.js';
import { type ApiKeyRecord, type ApiKeySettings, asData, asRecord, WITH_SPENDING } from './api-key-record.js';

/** Changes what is given and nothing else; null if this account has no such key. */
export async function changeKey(
  { prisma }: Database,
  accountId: string,
  id: string,
  change: Partial<ApiKeySettings>,
): Promise<ApiKeyRecord | null> {
  const where = { id, accountId, revokedAt: null };
  const [changed] = await prisma.apiKey.updateManyAndReturn({ where, data: asData(change), include: WITH_SPENDING });
  return changed === undefined ? null : asRecord(changed);
}

/** Ends a key for good; null if this account has no such key. */
export async function revokeKey(
  { prisma }: Database,
  accountId: string,
  id: string,
  revokedAt: Date,
): Promise<ApiKeyRecord | null> {
  const where = { id, accountId, revokedAt: null };
  const [revoked] = await prisma.apiKey.updateManyAndReturn({ where, data: { revokedAt }, include: WITH_SPENDING });
  return revoked === undefined ? null : asRecord(revoked);
}
