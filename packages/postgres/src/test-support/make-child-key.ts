import { newKeyId } from '@gateway/contracts';
import type { Database } from '../database.js';
import { createChildKey } from '../keys/child-keys.js';

const LIMITS = { maxDepth: 4, maxChildren: 100 };

interface Child {
  readonly accountId: string;
  readonly parentId: string;
  readonly budgetNanoUsd: bigint;
}

/** A child key that lives for an hour. Throws if the parent may make none. */
export async function makeChildKey(database: Database, { budgetNanoUsd, ...parent }: Child) {
  const id = newKeyId();
  const child = {
    id,
    sha256: `sha-${id}`,
    prefix: 'sk-a…b',
    name: `agent ${id}`,
    models: [],
    endpoints: [],
    allowedIps: [],
    scopes: [],
    requestsPerMinute: null,
    concurrency: null,
    budgetNanoUsd,
    expiresAt: new Date(Date.now() + 3_600_000),
    isMadeByKey: false,
  };
  const { outcome } = await createChildKey(database, parent, child, LIMITS);
  if (outcome !== 'created') throw new Error(`no child key was made: ${outcome}`);
  return { id, sha256: child.sha256 };
}

/**
 * Children of a key that have ended and returned their budgets, the oldest first, with the ids `<parent>_1` and so on.
 * As one statement: what many keys of agents leave behind.
 */
export const addEndedChildren = ({ prisma }: Database, parentId: string, count: number): Promise<number> =>
  prisma.$executeRaw`
    INSERT INTO api_key (id, account_id, sha256, prefix, name, models, endpoints, allowed_ips, scopes, spend_cap_nano_usd,
        spending_key_id, parent_id, depth, created_at, expires_at, closed_at)
      SELECT id || '_' || n, account_id, 'sha-' || id || '_' || n, 'p', 'agent ' || n, '{}', '{}', '{}', '{}', 5, id, id, depth + 1,
        now() - interval '1 day' + n * interval '1 second', now() - interval '1 hour', now() - interval '1 hour'
      FROM api_key CROSS JOIN generate_series(1, ${count}::int) AS n WHERE id = ${parentId}`;
