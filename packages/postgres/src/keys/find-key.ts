import type { Database } from '../database.js';
import { type ApiKeyRecord, toKeyRecord, WITH_SPENDING } from './api-key-record.js';

/** A key of this account that is not revoked. */
export async function findKey({ prisma }: Database, accountId: string, id: string): Promise<ApiKeyRecord | null> {
  const found = await prisma.apiKey.findFirst({ where: { id, accountId, revokedAt: null }, include: WITH_SPENDING });
  return found === null ? null : toKeyRecord(found);
}

/** The account's keys that are not revoked, the oldest first. */
export async function listKeys({ prisma }: Database, accountId: string): Promise<readonly ApiKeyRecord[]> {
  const found = await prisma.apiKey.findMany({
    where: { accountId, revokedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: WITH_SPENDING,
  });
  return found.map(toKeyRecord);
}

/** The number of keys of this account that are not revoked. */
export const countKeys = ({ prisma }: Database, accountId: string): Promise<number> =>
  prisma.apiKey.count({ where: { accountId, revokedAt: null } });

/** The SHA-256 of every key of this account, revoked ones too: the cached records to drop when the account changes. */
export async function listKeyHashes({ prisma }: Database, accountId: string): Promise<readonly string[]> {
  const keys = await prisma.apiKey.findMany({ where: { accountId }, select: { sha256: true } });
  return keys.map(({ sha256 }) => sha256);
}
