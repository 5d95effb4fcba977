import type { Database } from '../database.js';
import { type ApiKeyRecord, type ApiKeySettings, asData } from './api-key-record.js';

/** Changes what is given and nothing else; null if this account has no such key. */
export async function changeKey(
  { prisma }: Database,
  accountId: string,
  id: string,
  change: Partial<ApiKeySettings>,
): Promise<ApiKeyRecord | null> {
  const where = { id, accountId, revokedAt: null };
  const [changed] = await prisma.apiKey.updateManyAndReturn({ where, data: asData(change) });
  return changed ?? null;
}

/** Ends a key for good; null if this account has no such key. */
export async function revokeKey(
  { prisma }: Database,
  accountId: string,
  id: string,
  revokedAt: Date,
): Promise<ApiKeyRecord | null> {
  const where = { id, accountId, revokedAt: null };
  const [revoked] = await prisma.apiKey.updateManyAndReturn({ where, data: { revokedAt } });
  return revoked ?? null;
}
