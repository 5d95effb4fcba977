import type { Database } from '../database.js';
import { indexTasks, READ_CLOCK, readOneTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

export interface PollClaim {
  readonly taskId: string;
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * Leases open tasks to one worker each. A task is missing if it has ended, is being submitted or is leased already.
 * Rows are locked in the order of their ids, so that two workers do not deadlock.
 */
export async function claimPolls(
  { prisma }: Database,
  claims: readonly PollClaim[],
): Promise<ReadonlyMap<string, WorkerVideoTask>> {
  return indexTasks(
    await prisma.$queryRaw<VideoTaskRow[]>`
      WITH claim AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(claims)}::jsonb)
          AS claim("taskId" text, owner text, "leaseMs" int)),
        free AS (SELECT id FROM video_task
          WHERE id IN (SELECT "taskId" FROM claim) AND state IN ('submit_unknown', 'queued', 'running')
            AND (lease_until IS NULL OR lease_until < now())
          ORDER BY id FOR NO KEY UPDATE)
      UPDATE video_task AS task SET lease_owner = owner, lease_until = now() + "leaseMs" * interval '1 millisecond'
      FROM free JOIN claim ON "taskId" = free.id WHERE task.id = free.id
      RETURNING task.*, ${READ_CLOCK}`,
  );
}

/** Releases a claimed task that was not polled and sets its next poll. Null: another worker has claimed it meanwhile. */
export async function postponePoll(
  { prisma }: Database,
  taskId: string,
  owner: string,
  nextPollMs: number,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      UPDATE video_task SET lease_owner = NULL, lease_until = NULL, poll_number = poll_number + 1,
        next_poll_at = now() + ${Math.round(nextPollMs)}::int * interval '1 millisecond'
      WHERE id = ${taskId} AND lease_owner = ${owner} AND state IN ('submit_unknown', 'queued', 'running')
      RETURNING *`,
  );
}
