import type { Database } from '../database.js';
import { Sql, sql } from '../sql.js';
import { usageByKey } from '../statements/usage-statement.js';

/** One key of a tree. Its sums have everything below it, also the keys that the page leaves out. */
export interface KeyTreeNode {
  /** The first key of its chain of rotations. */
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly depth: number;
  readonly budgetNanoUsd: bigint | null;
  readonly reservedNanoUsd: bigint;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly closedAt: Date | null;
  readonly createdAt: Date;
  /** Of its own requests. */
  readonly requests: bigint;
  readonly costNanoUsd: bigint;
  readonly treeRequests: bigint;
  readonly treeCostNanoUsd: bigint;
  /** All keys below it, open and ended. */
  readonly keysBelow: bigint;
}

/** The place of an ended key in its tree: the newest come first. */
export interface KeyTreePlace {
  readonly createdAt: Date;
  readonly id: string;
}

export interface KeyTreePage {
  /** Ended keys of the page. */
  readonly limit: number;
  /** Null: the first page, which has every open key too. */
  readonly after: KeyTreePlace | null;
}

export interface KeyTree {
  /** Parents before children: the key itself, the keys of the page, and those between them. */
  readonly nodes: readonly KeyTreeNode[];
  /** The oldest ended key of the page. Null: the page is the last one. */
  readonly last: KeyTreePlace | null;
}

const QUARTER_MS = 15 * 60 * 1_000;
/** Far more than the clocks of a worker and the database may differ. */
const CLOCKS_MS = 24 * 60 * 60 * 1_000;
const quarter = (timeMs: number): Date => new Date(timeMs - (timeMs % QUARTER_MS));

const rootOf = (accountId: string, id: string): Sql => sql`
  SELECT CASE WHEN parent_id IS NULL THEN coalesce(spending_key_id, id) ELSE id END AS id
    FROM api_key WHERE id = ${id} AND account_id = ${accountId}`;

const placeBefore = (after: KeyTreePlace | null): Sql =>
  after === null ? sql`true` : sql`(created_at, id) < (${after.createdAt}, ${after.id})`;

/**
 * The key and a page of the keys below it: an agent may have had many thousands. The costs are those of the receipts.
 * A child cannot be replaced, so only the root has a chain. Null: the account never had such a key.
 */
export async function readKeyTree(
  { prisma }: Database,
  account: { readonly id: string; readonly timeZone: string },
  id: string,
  { limit, after }: KeyTreePage,
): Promise<KeyTree | null> {
  const [root] = await prisma.$queryRaw<{ readonly createdAt: Date }[]>`
    SELECT created_at AS "createdAt" FROM api_key JOIN (${rootOf(account.id, id)}) AS root USING (id)`;
  if (root === undefined) return null;
  const period = { from: quarter(root.createdAt.getTime() - CLOCKS_MS), to: quarter(Date.now() + CLOCKS_MS) };
  const rows = await prisma.$queryRaw<(KeyTreeNode & { readonly place: bigint | null })[]>`
    WITH RECURSIVE root AS (${rootOf(account.id, id)}), tree AS (
      SELECT api_key.id, created_at, closed_at, ARRAY[id] AS path FROM api_key JOIN root USING (id)
      UNION ALL
      SELECT child.id, child.created_at, child.closed_at, path || child.id
        FROM tree JOIN api_key AS child ON child.parent_id = tree.id
    ), line AS (
      SELECT id AS key_id, id AS line_id, path FROM tree
      UNION ALL
      SELECT api_key.id, root.id, ARRAY[root.id] FROM root JOIN api_key ON spending_key_id = root.id AND parent_id IS NULL
    ), used AS MATERIALIZED (
      SELECT line_id, path, sum(requests) AS requests, sum(cost) AS cost
        FROM (${usageByKey(account.id, { ...period, timeZone: account.timeZone })}) AS by_key JOIN line USING (key_id)
        GROUP BY line_id, path
    ), used_below AS (
      SELECT above.id, sum(requests) AS requests, sum(cost) AS cost FROM used CROSS JOIN unnest(path) AS above (id) GROUP BY above.id
    ), counted AS (
      SELECT above.id, count(*) AS keys FROM tree CROSS JOIN unnest(path) AS above (id) GROUP BY above.id
    ), page AS MATERIALIZED (
      SELECT id, path, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place
        FROM tree WHERE closed_at IS NOT NULL AND ${placeBefore(after)} ORDER BY created_at DESC, id DESC LIMIT ${limit}::int
    ), shown AS (
      SELECT above.id FROM (
        SELECT path FROM page UNION ALL SELECT path FROM tree WHERE closed_at IS NULL AND ${after === null}
        UNION ALL SELECT ARRAY[id] FROM root) AS listed
        CROSS JOIN unnest(path) AS above (id) GROUP BY above.id
    )
    SELECT first.id, CASE WHEN first.id = root.id THEN NULL ELSE parent_id END AS "parentId", newest.name, depth,
      newest.spend_cap_nano_usd AS "budgetNanoUsd", reserved_nano_usd AS "reservedNanoUsd",
      newest.expires_at AS "expiresAt", newest.revoked_at AS "revokedAt", closed_at AS "closedAt", first.created_at AS "createdAt",
      coalesce(used.requests, 0)::bigint AS requests, coalesce(used.cost, 0)::bigint AS "costNanoUsd",
      coalesce(used_below.requests, 0)::bigint AS "treeRequests", coalesce(used_below.cost, 0)::bigint AS "treeCostNanoUsd",
      counted.keys - 1 AS "keysBelow", page.place
    FROM shown JOIN api_key AS first USING (id) JOIN counted USING (id) CROSS JOIN root
    CROSS JOIN LATERAL (
      SELECT name, spend_cap_nano_usd, expires_at, revoked_at FROM api_key AS key
        WHERE key.id = first.id OR key.spending_key_id = first.id AND key.parent_id IS NULL
        ORDER BY created_at DESC, key.id DESC LIMIT 1
    ) AS newest
    LEFT JOIN (SELECT line_id, sum(requests) AS requests, sum(cost) AS cost FROM used GROUP BY line_id) AS used ON line_id = first.id
    LEFT JOIN used_below ON used_below.id = first.id LEFT JOIN page ON page.id = first.id
    ORDER BY depth, first.created_at, first.id`;
  const last = rows.find(({ place }) => place === BigInt(limit));
  return { nodes: rows, last: last === undefined ? null : { createdAt: last.createdAt, id: last.id } };
}

/** True if the second key is below the first one, in any depth. */
export async function isBelow(
  { prisma }: Database,
  accountId: string,
  { aboveId, id }: { readonly aboveId: string; readonly id: string },
): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>`
    WITH RECURSIVE above AS (
      SELECT parent_id FROM api_key WHERE id = ${id} AND account_id = ${accountId}
      UNION ALL
      SELECT api_key.parent_id FROM above JOIN api_key ON api_key.id = above.parent_id
    )
    SELECT 1 FROM above JOIN (${rootOf(accountId, aboveId)}) AS root ON root.id = above.parent_id`;
  return rows.length > 0;
}
