import type { Database } from '../database.js';
import { type Sql, sql } from '../sql.js';

/** What our receipts say of a day and a model. */
export interface RecordedLine {
  readonly day: Date;
  readonly model: string;
  readonly requests: bigint;
  readonly vendorCostNanoUsd: bigint;
  /** Requests whose vendor's cost is unknown. */
  readonly uncostedRequests: bigint;
}

interface Row {
  readonly day: Date;
  readonly model: string;
  readonly requests: bigint;
  readonly cost: bigint;
  readonly uncosted: bigint;
}

/** The receipts of all accounts by UTC day and public model, from and to a day, both included. */
export async function recordedByDayAndModel(
  { prisma }: Database,
  from: Date,
  to: Date,
): Promise<readonly RecordedLine[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT (starts_at AT TIME ZONE 'UTC')::date AS day, model, sum(requests)::bigint AS requests,
      sum(vendor_cost_nano_usd)::bigint AS cost, sum(uncosted_requests)::bigint AS uncosted
    FROM usage_rollup WHERE starts_at >= ${from} AND starts_at < ${to}::timestamptz + interval '1 day'
    GROUP BY 1, 2 ORDER BY 1, 2`;
  return rows.map(({ day, model, requests, cost, uncosted }) => ({
    day,
    model,
    requests,
    vendorCostNanoUsd: cost,
    uncostedRequests: uncosted,
  }));
}

export const BILL_ITEM_STATES = ['unmatched', 'different', 'equal'] as const;
export type BillItemState = (typeof BILL_ITEM_STATES)[number];

/** A request of a bill beside its receipt. Null: there is no receipt, or its vendor's cost is unknown. */
export interface ComparedItem {
  readonly upstreamId: string;
  readonly day: Date;
  readonly model: string;
  readonly billedNanoUsd: bigint;
  readonly requestId: string | null;
  readonly accountId: string | null;
  readonly recordedNanoUsd: bigint | null;
}

const CONDITIONS = {
  unmatched: sql`request_id IS NULL`,
  different: sql`request_id IS NOT NULL AND vendor_cost_nano_usd IS DISTINCT FROM item.cost_nano_usd`,
  equal: sql`vendor_cost_nano_usd = item.cost_nano_usd`,
} as const satisfies Record<BillItemState, Sql>;

interface ItemRow {
  readonly upstream_id: string;
  readonly day: Date;
  readonly model: string;
  readonly billed: bigint;
  readonly request_id: string | null;
  readonly account_id: string | null;
  readonly recorded: bigint | null;
}

/** The requests of a bill in one state, by the vendor's id. `afterId`: the last one of the page before. */
export async function compareItems(
  { prisma }: Database,
  billId: string,
  page: { readonly state: BillItemState; readonly afterId: string | null; readonly limit: number },
): Promise<readonly ComparedItem[]> {
  const rows = await prisma.$queryRaw<ItemRow[]>`
    SELECT item.upstream_id, item.day, item.model, item.cost_nano_usd AS billed, request_id, account_id,
      vendor_cost_nano_usd AS recorded
    FROM vendor_bill_item AS item
    LEFT JOIN settlement ON attempts -> -1 ->> 'upstreamId' = item.upstream_id
    WHERE bill_id = ${billId} AND (${page.afterId}::text IS NULL OR item.upstream_id > ${page.afterId})
      AND ${CONDITIONS[page.state]}
    ORDER BY item.upstream_id LIMIT ${page.limit}::int`;
  return rows.map((row) => ({
    upstreamId: row.upstream_id,
    day: row.day,
    model: row.model,
    billedNanoUsd: row.billed,
    requestId: row.request_id,
    accountId: row.account_id,
    recordedNanoUsd: row.recorded,
  }));
}
