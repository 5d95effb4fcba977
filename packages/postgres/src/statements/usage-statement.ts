import type { Database } from '../database.js';

export type UsageGrouping = 'day' | 'model' | 'key';

export interface UsageLine {
  /** A UTC day such as `2026-11-21`, a model or a key id. */
  readonly group: string;
  readonly requests: bigint;
  readonly costNanoUsd: bigint;
  readonly units: Readonly<Record<string, number>>;
}

interface Row {
  readonly grouping: string;
  readonly requests: bigint;
  readonly cost: bigint;
  readonly units: Record<string, number> | null;
}

/**
 * The usage of an account from `from` (inclusive) to `to` (exclusive), by the time of settlement. The inner query expands
 * a receipt to one row per unit. Only the first of these rows counts the request and its cost.
 */
export async function usageStatement(
  { prisma }: Database,
  accountId: string,
  period: { readonly from: Date; readonly to: Date; readonly groupBy: UsageGrouping },
): Promise<readonly UsageLine[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT grouping, sum(requests)::bigint AS requests, sum(cost)::bigint AS cost,
      jsonb_object_agg(unit, amount) FILTER (WHERE unit IS NOT NULL) AS units
    FROM (
      SELECT CASE ${period.groupBy}
          WHEN 'day' THEN to_char(settled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')
          WHEN 'model' THEN model ELSE key_id END AS grouping,
        unit, sum(amount::numeric) AS amount,
        count(*) FILTER (WHERE coalesce(place, 1) = 1) AS requests,
        sum(cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1) AS cost
      FROM settlement LEFT JOIN LATERAL jsonb_each_text(units) WITH ORDINALITY AS one (unit, amount, place) ON true
      WHERE account_id = ${accountId} AND settled_at >= ${period.from} AND settled_at < ${period.to}
      GROUP BY grouping, unit) AS parts
    GROUP BY grouping ORDER BY grouping`;
  return rows.map((row) => ({
    group: row.grouping,
    requests: row.requests,
    costNanoUsd: row.cost,
    units: row.units ?? {},
  }));
}
