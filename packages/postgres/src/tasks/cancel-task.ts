import type { Database } from '../database.js';
import type { TaskAccess } from './find-task.js';
import type { TaskRevision } from './submit-task.js';
import { READ_CLOCK, readOneTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** Records the request to cancel a task that has not ended. Returns the task as it is then; null: there is none. */
export async function requestCancel(
  { prisma }: Database,
  { accountId, onlyTest }: TaskAccess,
  id: string,
): Promise<WorkerVideoTask | null> {
  const requested = readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      UPDATE video_task SET cancel_requested_at = coalesce(cancel_requested_at, now()), cancel_outcome = 'pending',
        version = version + 1
      WHERE account_id = ${accountId} AND (id = ${id} OR public_id = ${id}) AND (is_test OR NOT ${onlyTest})
        AND NOT is_final_task(state) AND cancel_outcome IS DISTINCT FROM 'pending'
      RETURNING *`,
  );
  if (requested !== null) return requested;
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT * FROM video_task
      WHERE account_id = ${accountId} AND (id = ${id} OR public_id = ${id}) AND (is_test OR NOT ${onlyTest})`,
  );
}

/** Records that the upstream refused to cancel the task. Null: the task has changed meanwhile. */
export async function recordCancelRefused(
  { prisma }: Database,
  { taskId, version }: TaskRevision,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      UPDATE video_task SET cancel_outcome = 'refused', version = version + 1
      WHERE id = ${taskId} AND version = ${version}::int AND NOT is_final_task(state) AND cancel_outcome = 'pending'
      RETURNING *, ${READ_CLOCK}`,
  );
}
