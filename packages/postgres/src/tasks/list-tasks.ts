import type { VideoTaskState, VideoTaskStatus } from '@gateway/contracts';
import type { Database } from '../database.js';
import { joined, NOTHING, type Sql, sql } from '../sql.js';
import type { TaskAccess } from './find-task.js';
import { goneFiles } from './gone-files.js';
import { readVideoTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** The last task of the page before. */
export interface TaskCursor {
  readonly createdAtMs: number;
  readonly taskId: string;
}

export interface TaskQuery {
  readonly after: TaskCursor | null;
  readonly limit: number;
  readonly status?: VideoTaskStatus;
  /** Filters for these models. */
  readonly models?: readonly string[];
}

const STATES: Readonly<Partial<Record<VideoTaskStatus, readonly VideoTaskState[]>>> = {
  queued: ['submitting', 'submit_unknown', 'queued'],
};

/**
 * Lists tasks, the newest first. Reads a page of each state or model by its index and merges them. A scan of the account
 * would read many tasks to find few.
 */
export async function listTasks(
  { prisma }: Database,
  { accountId, onlyTest }: TaskAccess,
  { after, limit, status, models }: TaskQuery,
): Promise<readonly WorkerVideoTask[]> {
  const newest = (filter: Sql) => sql`
    (SELECT * FROM video_task
    WHERE account_id = ${accountId} ${filter} ${onlyTest ? sql`AND is_test` : NOTHING} ${olderThan(after)}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}::int)`;
  const pages = disjointFilters(status, models).map(newest);
  if (pages.length === 0) return [];
  const rows = await prisma.$queryRaw<VideoTaskRow[]>`
    SELECT *, ${goneFiles} FROM (${joined(pages, ' UNION ALL ')}) AS pages ORDER BY created_at DESC, id DESC LIMIT ${limit}::int`;
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

const olderThan = (cursor: TaskCursor | null): Sql =>
  cursor === null
    ? NOTHING
    : sql`AND (created_at, id) < (to_timestamp(${cursor.createdAtMs}::float8 / 1000.0)::timestamptz(3), ${cursor.taskId})`;
