import type { KeyId, KeySpending } from '@gateway/contracts';
import type { Database } from '../database.js';
import { toStorableJson } from '../storable-json.js';
import type { ApiKeyRecord } from './api-key-record.js';
import type { NewApiKey } from './create-key.js';

/** A key that a key makes. Its budget is its spend cap; its other limits are at most its parent's. */
export interface NewChildKey
  extends Pick<NewApiKey, 'id' | 'sha256' | 'prefix'>,
    Pick<
      ApiKeyRecord,
      'name' | 'models' | 'endpoints' | 'allowedIps' | 'scopes' | 'requestsPerMinute' | 'concurrency'
    > {
  readonly budgetNanoUsd: bigint;
  readonly expiresAt: Date;
  /** The parent itself makes it, for which the parent needs the scope. False: a person does. */
  readonly isMadeByKey: boolean;
}

export interface ChildLimits {
  /** A root key has depth 0. */
  readonly maxDepth: number;
  /** Open children of one key. */
  readonly maxChildren: number;
}

export type ChildOutcome =
  /** `parent`: what its line has spent and reserved now. `capNanoUsd` null: the parent has no spend cap. */
  | { readonly outcome: 'created'; readonly parent: KeySpending; readonly capNanoUsd: bigint | null }
  | { readonly outcome: 'not_found' | 'capped' | 'depth' | 'count' }
  | { readonly outcome: 'budget'; readonly leftNanoUsd: bigint };

type Made =
  | { outcome: 'created'; lineId: string; spent: string; version: string; cap: string | null }
  | { outcome: 'not_found' | 'capped' | 'depth' | 'count' }
  | { outcome: 'budget'; left: string };

/** Makes a child and reserves its budget in one transaction. */
export async function createChildKey(
  { prisma }: Database,
  { accountId, parentId }: { readonly accountId: string; readonly parentId: string },
  { budgetNanoUsd, allowedIps, requestsPerMinute, expiresAt, isMadeByKey, ...child }: NewChildKey,
  { maxDepth, maxChildren }: ChildLimits,
): Promise<ChildOutcome> {
  const row = toStorableJson({
    ...child,
    budget: budgetNanoUsd.toString(),
    allowed_ips: allowedIps,
    requests_per_minute: requestsPerMinute,
    expires_at: expiresAt.toISOString(),
    made_by_key: isMadeByKey,
  });
  const [answer] = await prisma.$queryRaw<{ made: Made }[]>`
    SELECT create_child_key(${accountId}, ${parentId}, ${row}::jsonb, ${maxDepth}::int, ${maxChildren}::int) AS made`;
  if (answer === undefined) throw new Error('create_child_key() returned no row');
  const { made } = answer;
  if (made.outcome === 'budget') return { outcome: 'budget', leftNanoUsd: BigInt(made.left) };
  if (made.outcome !== 'created') return { outcome: made.outcome };
  const parent = { spendingKeyId: made.lineId as KeyId, spentNanoUsd: made.spent, version: made.version };
  return { outcome: 'created', parent, capNanoUsd: made.cap === null ? null : BigInt(made.cap) };
}

/** A cached record of a key lives for five seconds: until then an edge may admit a request of an ended child. */
const GRACE = '15 seconds';

/** Children that have ended, and whose budget has not been returned. */
export async function listEndedChildren(
  { prisma }: Database,
  limit: number,
): Promise<readonly { readonly id: string; readonly accountId: string }[]> {
  return prisma.$queryRaw<{ id: string; accountId: string }[]>`
    SELECT id, account_id AS "accountId" FROM api_key
      WHERE parent_id IS NOT NULL AND closed_at IS NULL AND least(revoked_at, expires_at) < now() - ${GRACE}::interval
      ORDER BY depth DESC, id LIMIT ${limit}::int`;
}

interface ClosedRow {
  readonly spending_key_id: string;
  readonly spent_nano_usd: bigint;
  readonly spending_version: bigint;
}

/** Returns what the child has not spent. Null: it is open, or closed before; else its parent's totals. */
export async function closeChildKey({ prisma }: Database, id: string): Promise<KeySpending | null> {
  const [row] = await prisma.$queryRaw<ClosedRow[]>`SELECT * FROM close_child_key(${id})`;
  if (row === undefined) return null;
  return {
    spendingKeyId: row.spending_key_id as KeyId,
    spentNanoUsd: row.spent_nano_usd.toString(),
    version: row.spending_version.toString(),
  };
}
