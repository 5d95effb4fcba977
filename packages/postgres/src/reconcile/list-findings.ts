import type { Database } from '../database.js';

/** A page of rows by their place. The lists are short: each row is a fault. */
export interface FindingPage {
  readonly offset: number;
  readonly limit: number;
}

/** One row behind a number of the reconciliation. */
export interface FindingRecord {
  readonly id: string;
  readonly accountId: string | null;
  readonly requestId: string | null;
  readonly amountNanoUsd: bigint | null;
  readonly at: Date | null;
  readonly about: string;
}

/** Usage events that the ledger refused, the newest first. */
export async function listParkedEvents({ prisma }: Database, page: FindingPage): Promise<readonly FindingRecord[]> {
  const rows = await prisma.parkedEvent.findMany({
    orderBy: { parkedAt: 'desc' },
    skip: page.offset,
    take: page.limit,
  });
  return rows.map(({ streamEntryId, payload, reason, parkedAt }) => ({
    id: streamEntryId,
    ...eventOf(payload),
    at: parkedAt,
    about: reason,
  }));
}

function eventOf(payload: string): Pick<FindingRecord, 'accountId' | 'requestId' | 'amountNanoUsd'> {
  const { accountId, requestId, costNanoUsd } = JSON.parse(payload) as Partial<Record<string, string>>;
  return {
    accountId: accountId ?? null,
    requestId: requestId ?? null,
    amountNanoUsd: costNanoUsd === undefined ? null : BigInt(costNanoUsd),
  };
}

/** Open tasks whose hold the ledger has not booked for ten seconds. */
export const listUnbookedTaskHolds = (
  { prisma }: Database,
  { offset, limit }: FindingPage,
): Promise<readonly FindingRecord[]> =>
  prisma.$queryRaw<FindingRecord[]>`
    SELECT id, account_id AS "accountId", request_id AS "requestId", hold_nano_usd AS "amountNanoUsd", asked_at AS at,
      model AS about
    FROM video_task WHERE NOT is_final_task(state) AND hold_entry_id IS NULL AND hold_nano_usd > 0
      AND asked_at < now() - interval '10 seconds'
    ORDER BY created_at, id OFFSET ${offset}::int LIMIT ${limit}::int`;

/** Tasks that ended within a day and have no receipt. */
export const listTasksWithoutReceipt = (
  { prisma }: Database,
  { offset, limit }: FindingPage,
): Promise<readonly FindingRecord[]> =>
  prisma.$queryRaw<FindingRecord[]>`
    SELECT id, account_id AS "accountId", request_id AS "requestId", hold_nano_usd AS "amountNanoUsd", finished_at AS at,
      model || ', ' || state AS about
    FROM video_task WHERE finished_at > now() - interval '1 day'
      AND NOT EXISTS (SELECT 1 FROM settlement WHERE settlement.request_id = video_task.request_id)
    ORDER BY finished_at DESC, id OFFSET ${offset}::int LIMIT ${limit}::int`;

/** Second charges of one idempotency key that were given back within 30 days, the newest first. */
export const listRefundedCharges = (
  { prisma }: Database,
  { offset, limit }: FindingPage,
): Promise<readonly FindingRecord[]> =>
  prisma.$queryRaw<FindingRecord[]>`
    SELECT id::text AS id, account_id AS "accountId", subject AS "requestId", ((data->>'amount_usd')::numeric * 1000000000)::bigint
      AS "amountNanoUsd", created_at AS at, 'first charge: ' || (data->>'first_request_id') AS about
    FROM account_event WHERE type = 'charge.refunded' AND created_at > now() - interval '30 days'
    ORDER BY created_at DESC, id DESC OFFSET ${offset}::int LIMIT ${limit}::int`;

/** Requests of an account and a model within a day whose vendor's cost is above what their customer paid. */
export const listBelowCost = (
  { prisma }: Database,
  { offset, limit }: FindingPage,
): Promise<readonly FindingRecord[]> =>
  prisma.$queryRaw<FindingRecord[]>`
    SELECT account_id || ' ' || model AS id, account_id AS "accountId", NULL AS "requestId",
      sum(vendor_cost_nano_usd - cost_nano_usd + uncosted_nano_usd)::bigint AS "amountNanoUsd", max(starts_at) AS at,
      model AS about
    FROM usage_rollup WHERE starts_at > now() - interval '1 day'
    GROUP BY account_id, model HAVING sum(vendor_cost_nano_usd - cost_nano_usd + uncosted_nano_usd) > 0
    ORDER BY "amountNanoUsd" DESC, id OFFSET ${offset}::int LIMIT ${limit}::int`;
