import type { VideoTaskState, VideoTaskStatus } from '@gateway/contracts';
import type { Database } from '../database.js';
import { Prisma } from '../generated/client.js';
import type { TaskAccess } from './find-task.js';
import { readVideoTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** Where a page of tasks begins: after the last task of the page before. */
export interface TaskCursor {
  readonly createdAtMs: number;
  readonly taskId: string;
}

export interface TaskQuery {
  readonly after: TaskCursor | null;
  readonly limit: number;
  readonly status?: VideoTaskStatus;
  /** Of these only. */
  readonly models?: readonly string[];
}

const STATES: Readonly<Partial<Record<VideoTaskStatus, readonly VideoTaskState[]>>> = {
  queued: ['submitting', 'submit_unknown', 'queued'],
};

/**
 * The newest first. Of each state or model that is wanted a page is read by an index, and the newest of those are the page:
 * a customer's many tasks are not gone through for the few that are wanted.
 */
export async function listTasks(
  { prisma }: Database,
  { accountId, onlyTest }: TaskAccess,
  { after, limit, status, models }: TaskQuery,
): Promise<readonly WorkerVideoTask[]> {
  const newest = (which: Prisma.Sql) => Prisma.sql`
    (SELECT * FROM video_task
    WHERE account_id = ${accountId} ${which} ${onlyTest ? Prisma.sql`AND is_test` : Prisma.empty} ${behind(after)}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}::int)`;
  const pages = wanted(status, models).map(newest);
  if (pages.length === 0) return [];
  const rows = await prisma.$queryRaw<VideoTaskRow[]>`
    SELECT * FROM (${Prisma.join(pages, ' UNION ALL ')}) AS pages ORDER BY created_at DESC, id DESC LIMIT ${limit}::int`;
  return rows.map(readVideoTask);
}

/** Which tasks are wanted, in parts that have none in common; none is all that are of no model. */
function wanted(status: VideoTaskStatus | undefined, models: readonly string[] | undefined): readonly Prisma.Sql[] {
  const ofModels = models === undefined ? null : [...new Set(models)];
  if (status === undefined) return ofModels?.map((model) => Prisma.sql`AND model = ${model}`) ?? [Prisma.empty];
  const states = STATES[status] ?? [status];
  const ofAny = ofModels === null ? Prisma.empty : Prisma.sql`AND model = ANY(${ofModels}::text[])`;
  return states.map((state) => Prisma.sql`AND state = ${state} ${ofAny}`);
}

const behind = (place: TaskCursor | null): Prisma.Sql =>
  place === null
    ? Prisma.empty
    : Prisma.sql`AND (created_at, id) < (to_timestamp(${place.createdAtMs}::float8 / 1000.0)::timestamptz(3), ${place.taskId})`;
