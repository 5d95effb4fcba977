import type { VideoTaskState, VideoTaskStatus } from '@gateway/contracts';
import type { Database } from '../database.js';
import { readOneTask, readVideoTask, type VideoTaskRow, type WorkedVideoTask } from './video-task-row.js';

/** Who asks: an account, by a key that may be one for tests and then sees those tasks only. */
export interface TaskReader {
  readonly accountId: string;
  readonly onlyTest: boolean;
}

/** By either of its names. Null: there is none, or it is another account's. */
export async function findTask(
  { prisma }: Database,
  { accountId, onlyTest }: TaskReader,
  id: string,
): Promise<WorkedVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT * FROM video_task
      WHERE account_id = ${accountId} AND (id = ${id} OR public_id = ${id}) AND (is_test OR NOT ${onlyTest})`,
  );
}

export async function findTaskById({ prisma }: Database, taskId: string): Promise<WorkedVideoTask | null> {
  return readOneTask(await prisma.$queryRaw<VideoTaskRow[]>`SELECT * FROM video_task WHERE id = ${taskId}`);
}

/** The task that this key of the client's has been used for. */
export async function findTaskByIdempotencyKey(
  { prisma }: Database,
  { accountId, isTest }: { readonly accountId: string; readonly isTest: boolean },
  idempotencyKey: string,
): Promise<WorkedVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT * FROM video_task
      WHERE account_id = ${accountId} AND is_test = ${isTest} AND idempotency_key = ${idempotencyKey}`,
  );
}

/** Where a page of tasks begins: after the last task of the page before. */
export interface TaskPlace {
  readonly createdAtMs: number;
  readonly taskId: string;
}

export interface TaskPage {
  readonly after: TaskPlace | null;
  readonly limit: number;
  readonly status?: VideoTaskStatus;
  /** Of these only. */
  readonly models?: readonly string[];
}

const STATES: Readonly<Partial<Record<VideoTaskStatus, readonly VideoTaskState[]>>> = {
  queued: ['submitting', 'submit_unknown', 'queued'],
};

/** The newest first. */
export async function listTasks(
  { prisma }: Database,
  { accountId, onlyTest }: TaskReader,
  { after, limit, status, models }: TaskPage,
): Promise<readonly WorkedVideoTask[]> {
  const states = status === undefined ? null : [...(STATES[status] ?? [status])];
  const ofModels = models === undefined ? null : [...models];
  const rows = await prisma.$queryRaw<VideoTaskRow[]>`
    SELECT * FROM video_task
    WHERE account_id = ${accountId} AND (is_test OR NOT ${onlyTest})
      AND (${states}::text[] IS NULL OR state = ANY(${states}::text[]))
      AND (${ofModels}::text[] IS NULL OR model = ANY(${ofModels}::text[]))
      AND (${after?.taskId ?? null}::text IS NULL OR (created_at, id)
        < (to_timestamp(${after?.createdAtMs ?? 0}::float8 / 1000.0)::timestamptz(3), ${after?.taskId ?? null}::text))
    ORDER BY created_at DESC, id DESC LIMIT ${limit}::int`;
  return rows.map(readVideoTask);
}
