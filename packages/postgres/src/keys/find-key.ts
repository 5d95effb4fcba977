import type { Database } from '../database.js';
import type { ApiKeyRecord } from './api-key-record.js';

/** One key of this account that has not been deleted. */
export const findKey = ({ prisma }: Database, accountId: string, id: string): Promise<ApiKeyRecord | null> =>
  prisma.apiKey.findFirst({ where: { id, accountId, revokedAt: null } });

/** The account's keys that have not been deleted, the oldest first. */
export const listKeys = ({ prisma }: Database, accountId: string): Promise<readonly ApiKeyRecord[]> =>
  prisma.apiKey.findMany({ where: { accountId, revokedAt: null }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

/** The SHA-256 of every key of this account, deleted or not: what has to be forgotten when the account changes. */
export async function keyHashesOf({ prisma }: Database, accountId: string): Promise<readonly string[]> {
  const keys = await prisma.apiKey.findMany({ where: { accountId }, select: { sha256: true } });
  return keys.map(({ sha256 }) => sha256);
}
