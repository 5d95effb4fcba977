import type { Database } from '../database.js';
import { goneFiles } from './gone-files.js';
import { READ_CLOCK, readOneTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** The account that reads. A test key reads test tasks only. */
export interface TaskAccess {
  readonly accountId: string;
  readonly onlyTest: boolean;
}

/** Finds a task by its id or its public id. Null: this account has none. */
export async function findTask(
  { prisma }: Database,
  { accountId, onlyTest }: TaskAccess,
  id: string,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT *, ${goneFiles} FROM video_task
      WHERE account_id = ${accountId} AND (id = ${id} OR public_id = ${id}) AND (is_test OR NOT ${onlyTest})`,
  );
}

export async function findTaskById({ prisma }: Database, taskId: string): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`SELECT *, ${READ_CLOCK} FROM video_task WHERE id = ${taskId}`,
  );
}

/** The task that was created with this idempotency key. */
export async function findTaskByIdempotencyKey(
  { prisma }: Database,
  { accountId, isTest }: { readonly accountId: string; readonly isTest: boolean },
  idempotencyKey: string,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT *, ${goneFiles} FROM video_task
      WHERE account_id = ${accountId} AND is_test = ${isTest} AND idempotency_key = ${idempotencyKey}`,
  );
}
