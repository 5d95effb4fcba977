import type { Database } from '../database.js';
import { joined, type Sql, sql } from '../sql.js';
import { type SettlementRecord, settlementRecord } from './find-settlement.js';

/** Undefined: every value. */
export interface SettlementFilter {
  readonly keyId?: string | undefined;
  /** The requests of a member's keys; null: of those that belong to no member. */
  readonly memberId?: string | null | undefined;
  readonly onlyTest?: boolean | undefined;
  readonly model?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly outcome?: string | undefined;
  /** Statuses from the first to the last one, both included. */
  readonly status?: readonly [first: number, last: number] | undefined;
  /** The client's `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined;
  readonly requestIds?: readonly string[] | undefined;
  /** A part of the request id. */
  readonly requestId?: string | undefined;
  readonly leastCostNanoUsd?: bigint | undefined;
  readonly mostCostNanoUsd?: bigint | undefined;
  /** Settled at this time or later. */
  readonly from?: Date | undefined;
  /** Settled before this time. */
  readonly to?: Date | undefined;
}

export interface SettlementPage {
  /** The last row of the page before; null: the first page. */
  readonly after: Pick<SettlementRecord, 'settledAt' | 'requestId'> | null;
  readonly limit: number;
  /** By the time of settlement. Default: `newest` first. */
  readonly order?: 'newest' | 'oldest' | undefined;
}

const both = (conditions: readonly Sql[]) => joined([...conditions], ' AND ');

const ownedBy = (memberId: string | null) =>
  memberId === null ? sql`member_id IS NULL` : sql`member_id = ${memberId}`;

const conditionsOf = (accountId: string, filter: SettlementFilter): readonly Sql[] => [
  sql`account_id = ${accountId}`,
  ...(filter.keyId === undefined ? [] : [sql`key_id = ${filter.keyId}`]),
  ...(filter.memberId === undefined
    ? []
    : [sql`key_id IN (SELECT id FROM api_key WHERE account_id = ${accountId} AND ${ownedBy(filter.memberId)})`]),
  ...(filter.onlyTest === true
    ? [sql`EXISTS (SELECT 1 FROM api_key WHERE api_key.id = settlement.key_id AND is_test)`]
    : []),
  ...(filter.model === undefined ? [] : [sql`model = ${filter.model}`]),
  ...(filter.endpoint === undefined ? [] : [sql`endpoint = ${filter.endpoint}`]),
  ...(filter.outcome === undefined ? [] : [sql`outcome = ${filter.outcome}`]),
  ...(filter.status === undefined ? [] : [sql`status BETWEEN ${filter.status[0]} AND ${filter.status[1]}`]),
  ...(filter.idempotencyKey === undefined ? [] : [sql`idempotency_key = ${filter.idempotencyKey}`]),
  ...(filter.requestIds === undefined ? [] : [sql`request_id = ANY (${filter.requestIds})`]),
  ...(filter.requestId === undefined ? [] : [sql`position(${filter.requestId} in request_id) > 0`]),
  ...(filter.leastCostNanoUsd === undefined ? [] : [sql`cost_nano_usd >= ${filter.leastCostNanoUsd}`]),
  ...(filter.mostCostNanoUsd === undefined ? [] : [sql`cost_nano_usd <= ${filter.mostCostNanoUsd}`]),
  ...(filter.from === undefined ? [] : [sql`settled_at >= ${filter.from}`]),
  ...(filter.to === undefined ? [] : [sql`settled_at < ${filter.to}`]),
];

/** The place after the page before. The first condition bounds the index. */
function conditionsAfter({ after, order }: SettlementPage): readonly Sql[] {
  if (after === null) return [];
  const { settledAt, requestId } = after;
  if (order !== 'oldest') {
    return [sql`settled_at <= ${settledAt}`, sql`(settled_at < ${settledAt} OR request_id < ${requestId})`];
  }
  return [sql`settled_at >= ${settledAt}`, sql`(settled_at > ${settledAt} OR request_id > ${requestId})`];
}

/** The receipts of an account. It reads the index of the account by time, row by row, from either end. */
export async function listSettlements(
  { prisma }: Database,
  accountId: string,
  filter: SettlementFilter,
  page: SettlementPage,
): Promise<readonly SettlementRecord[]> {
  const by = page.order === 'oldest' ? sql`ASC` : sql`DESC`;
  const direction = page.order === 'oldest' ? 'asc' : 'desc';
  const ids = await prisma.$queryRaw<{ request_id: string }[]>`
    SELECT request_id FROM settlement
    WHERE ${both([...conditionsOf(accountId, filter), ...conditionsAfter(page)])}
    ORDER BY settled_at ${by}, request_id ${by} LIMIT ${page.limit}::int`;
  const rows = await prisma.settlement.findMany({
    where: { requestId: { in: ids.map(({ request_id }) => request_id) } },
    orderBy: [{ settledAt: direction }, { requestId: direction }],
  });
  return rows.map(settlementRecord);
}

/** The number of receipts that the filter finds. It stops at `most`, because a count reads every row. */
export async function countSettlements(
  { prisma }: Database,
  accountId: string,
  filter: SettlementFilter,
  most: number,
): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM (
      SELECT 1 FROM settlement WHERE ${both(conditionsOf(accountId, filter))} LIMIT ${most}::int) AS found`;
  return Number(row?.count ?? 0);
}
