import type { Database } from '../database.js';
import { type ApiKeyRecord, toKeyRecord, WITH_SPENDING } from './api-key-record.js';

/** Whose keys a caller manages: all of an account, or those of one member. */
export interface KeyOwner {
  readonly accountId: string;
  /** Absent: every key of the account. */
  readonly memberId?: string;
}

/**
 * Neither revoked nor a child that has ended and returned its budget. An expired key of a person is kept: its owner may
 * give it more time.
 */
export const KEPT = { revokedAt: null, closedAt: null } as const;

/** A key that is kept. */
export async function findKey({ prisma }: Database, owner: KeyOwner, id: string): Promise<ApiKeyRecord | null> {
  const found = await prisma.apiKey.findFirst({ where: { id, ...owner, ...KEPT }, include: WITH_SPENDING });
  return found === null ? null : toKeyRecord(found);
}

/** True for every key that the owner has or had. */
export async function hasHadKey({ prisma }: Database, owner: KeyOwner, id: string): Promise<boolean> {
  return (await prisma.apiKey.count({ where: { id, ...owner } })) > 0;
}

/** The keys that are kept, the oldest first. */
export async function listKeys({ prisma }: Database, owner: KeyOwner): Promise<readonly ApiKeyRecord[]> {
  const found = await prisma.apiKey.findMany({
    where: { ...owner, ...KEPT },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: WITH_SPENDING,
  });
  return found.map(toKeyRecord);
}

/** The names of keys by their ids, also of keys that have ended. A key without a name is absent. */
export async function namesOfKeys(
  { prisma }: Database,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = await prisma.$queryRaw<{ readonly id: string; readonly name: string }[]>`
    SELECT id, name FROM api_key WHERE account_id = ${accountId} AND id = ANY (${[...ids]}::text[]) AND name IS NOT NULL`;
  return new Map(keys.map(({ id, name }) => [id, name]));
}

/** The number of keys of this account that are kept. */
export const countKeys = ({ prisma }: Database, accountId: string): Promise<number> =>
  prisma.apiKey.count({ where: { accountId, ...KEPT } });

/** The SHA-256 of the open keys below a key: the cached records to drop when its concurrency changes or another replaces it. */
export async function listHashesBelow({ prisma }: Database, accountId: string, id: string): Promise<readonly string[]> {
  const keys = await prisma.$queryRaw<{ readonly sha256: string }[]>`
    WITH RECURSIVE below AS (
      SELECT child.id, child.sha256 FROM api_key AS parent JOIN api_key AS child
        ON child.parent_id = CASE WHEN parent.parent_id IS NULL THEN coalesce(parent.spending_key_id, parent.id) ELSE parent.id END
        WHERE parent.id = ${id} AND parent.account_id = ${accountId} AND child.closed_at IS NULL
      UNION ALL
      SELECT child.id, child.sha256 FROM below JOIN api_key AS child ON child.parent_id = below.id AND child.closed_at IS NULL
    )
    SELECT sha256 FROM below`;
  return keys.map(({ sha256 }) => sha256);
}

/** The SHA-256 of every key, revoked ones too: the cached records to drop when the account or the member changes. */
export async function listKeyHashes({ prisma }: Database, owner: KeyOwner): Promise<readonly string[]> {
  const keys = await prisma.apiKey.findMany({ where: { ...owner }, select: { sha256: true } });
  return keys.map(({ sha256 }) => sha256);
}

/** The SHA-256 of a key, also of one that has ended, and of the open keys below it. Empty: the owner had no such key. */
export async function listHashesOfLine(database: Database, owner: KeyOwner, id: string): Promise<readonly string[]> {
  const key = await database.prisma.apiKey.findFirst({ where: { id, ...owner }, select: { sha256: true } });
  return key === null ? [] : [key.sha256, ...(await listHashesBelow(database, owner.accountId, id))];
}
