import type { Database } from '../database.js';
import { joined, NOTHING, Sql, sql } from '../sql.js';

export const USAGE_PERIODS = ['hour', 'day', 'month'] as const;
export const USAGE_DIMENSIONS = ['key', 'member', 'model', 'endpoint', 'outcome'] as const;
export type UsageGroup = (typeof USAGE_PERIODS)[number] | (typeof USAGE_DIMENSIONS)[number];

export interface UsageLine {
  /** One value for each group of the query: a time such as `2026-11-21T13:00`, `2026-11-21` or `2026-11`, a model, … Null: no member owns the key. */
  readonly groups: readonly (string | null)[];
  readonly requests: bigint;
  readonly costNanoUsd: bigint;
  readonly units: Readonly<Record<string, number>>;
}

export interface UsageQuery {
  /** Inclusive and exclusive. */
  readonly from: Date;
  readonly to: Date;
  readonly groups: readonly UsageGroup[];
  /** The calendar of hours, days and months. */
  readonly timeZone: string;
}

interface Row {
  readonly groups: readonly (string | null)[];
  readonly requests: bigint;
  readonly cost: bigint;
  readonly units: Record<string, number> | null;
}

/** Receipts are summed for each quarter of an hour. The border of every hour, in every time zone, is one of a quarter. */
const QUARTER_MS = 15 * 60 * 1_000;

const isQuarter = (time: Date): boolean => time.getTime() % QUARTER_MS === 0;

const PATTERNS: Readonly<Record<string, string>> = {
  hour: 'YYYY-MM-DD"T"HH24:00',
  day: 'YYYY-MM-DD',
  month: 'YYYY-MM',
};
const COLUMNS = {
  key: sql`key_id`,
  member: sql`member_id`,
  model: sql`model`,
  endpoint: sql`endpoint`,
  outcome: sql`outcome`,
} as const;

/** A period stays a time until the sums are made: as text it would be rendered for each of millions of rows. */
const groupOf = (group: UsageGroup, timeZone: string): Sql =>
  group in PATTERNS
    ? sql`date_trunc(${group}, starts_at AT TIME ZONE ${timeZone})`
    : COLUMNS[group as keyof typeof COLUMNS];

const nameOf = (index: number): Sql => new Sql([`group_${index}`], []);

const textOf = (group: UsageGroup, index: number): Sql =>
  group in PATTERNS ? sql`to_char(${nameOf(index)}, ${PATTERNS[group]})` : nameOf(index);

/** Kept days pay off for a period of several. */
const LEAST_DAYS_MS = 2 * 24 * 60 * 60 * 1_000;

const canUseDays = ({ from, to, groups }: UsageQuery): boolean =>
  !groups.includes('hour') && to.getTime() - from.getTime() >= LEAST_DAYS_MS;

/**
 * Kept days, and the quarters between them. The requests of a quarter only grow, so a day that has as many as its quarters
 * is not changed since it was kept. `OFFSET 0` has each gap read by index: a join might compare all quarters with all gaps.
 */
const daysAndQuarters = (accountId: string, { from, to, timeZone }: UsageQuery): Sql => sql`
  WITH day AS MATERIALIZED (
    SELECT day AT TIME ZONE ${timeZone} AS starts_at, (day + interval '1 day') AT TIME ZONE ${timeZone} AS ends_at
      FROM generate_series(date_trunc('day', ${from}::timestamptz AT TIME ZONE ${timeZone}),
        ${to}::timestamptz AT TIME ZONE ${timeZone}, interval '1 day') AS day
  ), counted AS MATERIALIZED (
    SELECT starts_at, ends_at, requests, lines, (
        SELECT coalesce(sum(usage_rollup.requests), 0) FROM usage_rollup WHERE account_id = ${accountId}
          AND usage_rollup.starts_at >= usage_day.starts_at AND usage_rollup.starts_at < usage_day.ends_at) AS summed
      FROM day JOIN usage_day USING (starts_at, ends_at)
      WHERE account_id = ${accountId} AND starts_at >= ${from} AND ends_at <= ${to}
  ), kept AS MATERIALIZED (
    SELECT starts_at, ends_at, lines FROM counted WHERE requests = summed
  ), gap AS MATERIALIZED (
    SELECT * FROM (
      SELECT coalesce(lag(ends_at) OVER (ORDER BY starts_at), ${from}) AS starts_at, starts_at AS ends_at FROM kept
      UNION ALL SELECT coalesce(max(ends_at), ${from}), ${to} FROM kept) AS between_days
    WHERE starts_at < ends_at
  )
  SELECT starts_at, line.* FROM kept CROSS JOIN LATERAL jsonb_to_recordset(lines) AS line (key_id text, model text,
      endpoint text, outcome text, requests bigint, cost_nano_usd bigint, units jsonb)
  UNION ALL
  SELECT quarter.* FROM gap CROSS JOIN LATERAL (
    SELECT starts_at, key_id, model, endpoint, outcome, requests, cost_nano_usd, units FROM usage_rollup
      WHERE account_id = ${accountId} AND starts_at >= gap.starts_at AND starts_at < gap.ends_at OFFSET 0) AS quarter`;

const quarters = (accountId: string, { from, to }: UsageQuery): Sql => sql`
  SELECT starts_at, key_id, model, endpoint, outcome, requests, cost_nano_usd, units FROM usage_rollup
    WHERE account_id = ${accountId} AND starts_at >= ${from} AND starts_at < ${to}`;

const receipts = (accountId: string, { from, to }: UsageQuery): Sql => sql`
  SELECT settled_at AS starts_at, key_id, model, endpoint, outcome, 1 AS requests, cost_nano_usd, units
    FROM settlement WHERE account_id = ${accountId} AND settled_at >= ${from} AND settled_at < ${to}`;

/** For a period that begins or ends inside a quarter, the receipts themselves. */
function sourceOf(accountId: string, query: UsageQuery): Sql {
  if (!isQuarter(query.from) || !isQuarter(query.to)) return receipts(accountId, query);
  return canUseDays(query) ? daysAndQuarters(accountId, query) : quarters(accountId, query);
}

/** The requests of an account and their cost by key, in the columns `key_id`, `requests` and `cost`. */
export function usageByKey(accountId: string, period: Omit<UsageQuery, 'groups'>): Sql {
  const source = sourceOf(accountId, { ...period, groups: ['key'] });
  return sql`SELECT key_id, sum(requests) AS requests, sum(cost_nano_usd) AS cost FROM (${source}) AS source GROUP BY key_id`;
}

const memberJoin = ({ groups }: UsageQuery): Sql =>
  groups.includes('member')
    ? sql`LEFT JOIN (SELECT id, member_id FROM api_key) AS owned ON owned.id = key_id`
    : NOTHING;

/**
 * The usage of an account, by the time of settlement. The middle query expands units to one row each, and only the first
 * of these rows counts the requests and their cost. `OFFSET 0` computes the groups before the rows are expanded.
 */
export async function usageStatement(
  { prisma }: Database,
  accountId: string,
  query: UsageQuery,
): Promise<readonly UsageLine[]> {
  const { groups, timeZone } = query;
  const values = joined(
    groups.map((group, index) => sql`${groupOf(group, timeZone)} AS ${nameOf(index)}`),
    ', ',
  );
  const names = joined(
    groups.map((_, index) => nameOf(index)),
    ', ',
  );
  const texts = joined(groups.map(textOf), ', ');
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT ARRAY[${texts}]::text[] AS groups, sum(requests)::bigint AS requests, sum(cost)::bigint AS cost,
      jsonb_object_agg(unit, amount) FILTER (WHERE unit IS NOT NULL) AS units
    FROM (
      SELECT ${names}, unit, sum(amount::numeric) AS amount,
        sum(requests) FILTER (WHERE coalesce(place, 1) = 1) AS requests,
        sum(cost_nano_usd) FILTER (WHERE coalesce(place, 1) = 1) AS cost
      FROM (
        SELECT ${values}, requests, cost_nano_usd, units
          FROM (${sourceOf(accountId, query)}) AS source ${memberJoin(query)} OFFSET 0) AS grouped
        LEFT JOIN LATERAL jsonb_each_text(units) WITH ORDINALITY AS one (unit, amount, place) ON true
      GROUP BY ${names}, unit) AS parts
    GROUP BY ${names} ORDER BY groups`;
  return rows.map(({ groups: named, requests, cost, units }) => ({
    groups: named,
    requests,
    costNanoUsd: cost,
    units: units ?? {},
  }));
}
