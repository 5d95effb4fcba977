import type { VideoTaskState, VideoTaskStatus } from '@gateway/contracts';
import type { Database } from '../database.js';
import { joined, NOTHING, type Sql, sql } from '../sql.js';
import type { TaskAccess } from './find-task.js';
import { goneFiles } from './gone-files.js';
import { readVideoTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** The last task of the page before, in the order of the query. */
export interface TaskCursor {
  readonly createdAtMs: number;
  readonly taskId: string;
}

export interface TaskQuery {
  readonly after: TaskCursor | null;
  readonly limit: number;
  /** Default: the newest first. */
  readonly order?: 'asc' | 'desc';
  readonly status?: VideoTaskStatus | undefined;
  /** Filters for these models. */
  readonly models?: readonly string[];
}

const STATES: Readonly<Partial<Record<VideoTaskStatus, readonly VideoTaskState[]>>> = {
  queued: ['submitting', 'submit_unknown', 'queued'],
};

/**
 * Lists tasks. Reads a page of each state or model by its index and merges them. A scan of the account
 * would read many tasks to find few.
 */
export async function listTasks(
  { prisma }: Database,
  { accountId, onlyTest }: TaskAccess,
  { after, limit, order = 'desc', status, models }: TaskQuery,
): Promise<readonly WorkerVideoTask[]> {
  const { sorted, beyond } = ORDERS[order];
  const page = (filter: Sql) => sql`
    (SELECT * FROM video_task
    WHERE account_id = ${accountId} ${filter} ${onlyTest ? sql`AND is_test` : NOTHING} ${after === null ? NOTHING : beyond(after)}
    ${sorted} LIMIT ${limit}::int)`;
  const pages = disjointFilters(status, models).map(page);
  if (pages.length === 0) return [];
  const rows = await prisma.$queryRaw<VideoTaskRow[]>`
    SELECT *, ${goneFiles} FROM (${joined(pages, ' UNION ALL ')}) AS pages ${sorted} LIMIT ${limit}::int`;
  return rows.map(readVideoTask);
}

/** Disjoint filters whose union is the query. No filter: the query names an empty list of models. */
function disjointFilters(status: VideoTaskStatus | undefined, models: readonly string[] | undefined): readonly Sql[] {
  const ofModels = models === undefined ? null : [...new Set(models)];
  if (status === undefined) return ofModels?.map((model) => sql`AND model = ${model}`) ?? [NOTHING];
  const states = STATES[status] ?? [status];
  const ofAny = ofModels === null ? NOTHING : sql`AND model = ANY(${ofModels}::text[])`;
  return states.map((state) => sql`AND state = ${state} ${ofAny}`);
}

const placeOf = ({ createdAtMs, taskId }: TaskCursor): Sql =>
  sql`(to_timestamp(${createdAtMs}::float8 / 1000.0)::timestamptz(3), ${taskId})`;

const ORDERS = {
  desc: {
    sorted: sql`ORDER BY created_at DESC, id DESC`,
    beyond: (cursor: TaskCursor) => sql`AND (created_at, id) < ${placeOf(cursor)}`,
  },
  asc: {
    sorted: sql`ORDER BY created_at, id`,
    beyond: (cursor: TaskCursor) => sql`AND (created_at, id) > ${placeOf(cursor)}`,
  },
} as const;
