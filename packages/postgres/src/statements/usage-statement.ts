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

/** What an account used from `from` (inclusive) to `to` (exclusive), by the time of settlement. */
export async function usageStatement(
  { prisma }: Database,
  accountId: string,
  period: { readonly from: Date; readonly to: Date; readonly groupBy: UsageGrouping },
): Promise<readonly UsageLine[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    WITH used AS (
      SELECT cost_nano_usd, units, CASE ${period.groupBy}
          WHEN 'day' THEN to_char(settled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')
          WHEN 'model' THEN model ELSE key_id END AS grouping
      FROM settlement
      WHERE account_id = ${accountId} AND settled_at >= ${period.from} AND settled_at < ${period.to}
    ), counted AS (
      SELECT grouping, unit, sum(amount::numeric) AS amount
      FROM used CROSS JOIN LATERAL jsonb_each_text(units) AS one (unit, amount) GROUP BY grouping, unit
    )
    SELECT grouping, count(*) AS requests, sum(cost_nano_usd)::bigint AS cost,
      (SELECT jsonb_object_agg(unit, amount) FROM counted WHERE counted.grouping = used.grouping) AS units
    FROM used GROUP BY grouping ORDER BY grouping`;
  return rows.map((row) => ({
    group: row.grouping,
    requests: row.requests,
    costNanoUsd: row.cost,
    units: row.units ?? {},
  }));
}
