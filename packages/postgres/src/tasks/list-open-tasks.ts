import type { Database } from '../database.js';
import { joined, type Sql, sql } from '../sql.js';

/**
 * - `lost`: no worker knows whether the vendor has the task: its submission broke off, or the vendor did not know it.
 * - `overdue`: its poll was due a minute ago.
 * - `stuck`: it is open after its deadline, or its submission has been under way or unknown for 15 minutes. The second is the
 *   alert `VideoTasksStuck`.
 */
export const TASK_PROBLEMS = ['lost', 'overdue', 'stuck'] as const;
export type TaskProblem = (typeof TASK_PROBLEMS)[number];

/** An open task as operators see it. */
export interface OpenTaskRecord {
  readonly id: string;
  readonly requestId: string;
  readonly accountId: string;
  readonly model: string;
  readonly vendor: string;
  readonly state: string;
  readonly channelId: string | null;
  readonly upstreamTaskId: string | null;
  readonly holdNanoUsd: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly nextPollAt: Date | null;
  readonly pollFailures: number;
  readonly problems: readonly TaskProblem[];
}

/** Undefined: every value. */
export interface OpenTaskQuery {
  readonly problem?: TaskProblem | undefined;
  readonly vendor?: string | undefined;
  readonly accountId?: string | undefined;
  readonly channelId?: string | undefined;
  /** The last row of the page before; null: the first page. */
  readonly after: Pick<OpenTaskRecord, 'createdAt' | 'id'> | null;
  readonly limit: number;
}

const IS_FREE = sql`(lease_until IS NULL OR lease_until < now())`;
const CONDITIONS = {
  lost: sql`((state = 'submitting' AND ${IS_FREE} AND created_at < now() - interval '1 minute') OR doubts > 0)`,
  overdue: sql`(state <> 'submitting' AND ${IS_FREE} AND next_poll_at < now() - interval '1 minute')`,
  stuck: sql`(expires_at < now()
    OR (state IN ('submitting', 'submit_unknown') AND created_at < now() - interval '15 minutes'))`,
} as const satisfies Record<TaskProblem, Sql>;

/** Open tasks of all accounts, the oldest first. It reads the index of open tasks only. */
export async function listOpenTasks({ prisma }: Database, query: OpenTaskQuery): Promise<readonly OpenTaskRecord[]> {
  const { problem, vendor, accountId, channelId, after, limit } = query;
  const conditions = [
    sql`NOT is_final_task(state)`,
    ...(problem === undefined ? [] : [CONDITIONS[problem]]),
    ...(vendor === undefined ? [] : [sql`vendor = ${vendor}`]),
    ...(accountId === undefined ? [] : [sql`account_id = ${accountId}`]),
    ...(channelId === undefined ? [] : [sql`channel_id = ${channelId}`]),
    ...(after === null ? [] : [sql`(created_at, id) > (${after.createdAt}, ${after.id})`]),
  ];
  return prisma.$queryRaw<OpenTaskRecord[]>`
    SELECT id, request_id AS "requestId", account_id AS "accountId", model, vendor, state, channel_id AS "channelId",
      upstream_task_id AS "upstreamTaskId", hold_nano_usd AS "holdNanoUsd", created_at AS "createdAt",
      expires_at AS "expiresAt", next_poll_at AS "nextPollAt", poll_failures AS "pollFailures",
      array_remove(ARRAY[CASE WHEN ${CONDITIONS.lost} THEN 'lost' END, CASE WHEN ${CONDITIONS.overdue} THEN 'overdue' END,
        CASE WHEN ${CONDITIONS.stuck} THEN 'stuck' END], NULL) AS problems
    FROM video_task WHERE ${joined(conditions, ' AND ')}
    ORDER BY created_at, id LIMIT ${limit}::int`;
}
