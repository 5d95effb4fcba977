import type { Database } from '../database.js';
import { NOTHING, type Sql, sql } from '../sql.js';

/** `account` groups have the account's email as their label. */
export type MarginGrouping = 'day' | 'model' | 'account' | 'endpoint';

export interface MarginSums {
  readonly requests: bigint;
  /** What customers paid. */
  readonly chargedNanoUsd: bigint;
  /** What vendors bill for the requests whose cost is known. */
  readonly vendorCostNanoUsd: bigint;
  /** Requests whose vendor's cost is unknown, and what customers paid for them. */
  readonly uncostedRequests: bigint;
  readonly uncostedNanoUsd: bigint;
}

export interface MarginLine extends MarginSums {
  /** A UTC day such as `2026-11-21`, a model, an account id or an endpoint. */
  readonly group: string;
  readonly label: string | null;
}

export interface MarginQuery {
  readonly groupBy: MarginGrouping;
  /** Inclusive and exclusive, each at a quarter of an hour. */
  readonly from: Date;
  readonly to: Date;
  readonly accountId?: string | undefined;
  readonly model?: string | undefined;
}

interface Row {
  readonly grouping: string;
  readonly label: string | null;
  readonly requests: bigint;
  readonly charged: bigint;
  readonly vendor_cost: bigint;
  readonly uncosted_requests: bigint;
  readonly uncosted: bigint;
}

const GROUP_COLUMNS = {
  day: sql`(starts_at AT TIME ZONE 'UTC')::date`,
  model: sql`model`,
  account: sql`account_id`,
  endpoint: sql`endpoint`,
} as const satisfies Record<MarginGrouping, Sql>;

/**
 * What customers paid and what vendors bill, by the time of settlement. Days are in their order, other groups by what
 * customers paid, the most first.
 */
export async function marginReport(
  { prisma }: Database,
  { groupBy, from, to, accountId, model }: MarginQuery,
): Promise<readonly MarginLine[]> {
  const ofAccount = accountId === undefined ? NOTHING : sql`AND account_id = ${accountId}`;
  const ofModel = model === undefined ? NOTHING : sql`AND model = ${model}`;
  const order = groupBy === 'day' ? sql`summed.grouping` : sql`charged DESC, summed.grouping`;
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT summed.grouping::text AS grouping, requests, charged, vendor_cost, uncosted_requests, uncosted,
      account.email AS label
    FROM (
      SELECT ${GROUP_COLUMNS[groupBy]} AS grouping, sum(requests)::bigint AS requests,
        sum(cost_nano_usd)::bigint AS charged, sum(vendor_cost_nano_usd)::bigint AS vendor_cost,
        sum(uncosted_requests)::bigint AS uncosted_requests, sum(uncosted_nano_usd)::bigint AS uncosted
      FROM usage_rollup
      WHERE starts_at >= ${from} AND starts_at < ${to} ${ofAccount} ${ofModel}
      GROUP BY 1) AS summed
    LEFT JOIN account ON ${groupBy} = 'account' AND account.id = summed.grouping::text
    ORDER BY ${order}`;
  return rows.map((row) => ({
    group: row.grouping,
    label: row.label,
    requests: row.requests,
    chargedNanoUsd: row.charged,
    vendorCostNanoUsd: row.vendor_cost,
    uncostedRequests: row.uncosted_requests,
    uncostedNanoUsd: row.uncosted,
  }));
}
