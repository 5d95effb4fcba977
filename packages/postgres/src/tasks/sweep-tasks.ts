import type { TaskId, Vendor } from '@gateway/contracts';
import type { Database } from '../database.js';
import { readVideoTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** An open task whose poll is overdue. */
export interface OverdueTask {
  readonly taskId: TaskId;
  readonly vendor: Vendor;
  readonly pollNumber: number;
}

/**
 * Tasks whose poll was due `graceMs` ago and that no worker has claimed, the longest overdue first. At most `limit` of
 * each vendor, so that a vendor without workers does not hide the others.
 */
export async function overdueTasks(
  { prisma }: Database,
  { graceMs, limit }: { readonly graceMs: number; readonly limit: number },
): Promise<readonly OverdueTask[]> {
  const rows = await prisma.$queryRaw<{ id: string; vendor: string; poll_number: number }[]>`
    SELECT id, vendor, poll_number FROM (
      SELECT id, vendor, poll_number,
        row_number() OVER (PARTITION BY vendor ORDER BY next_poll_at) AS place
      FROM video_task
      WHERE NOT is_final_task(state) AND state <> 'submitting'
        AND next_poll_at < now() - ${graceMs}::int * interval '1 millisecond'
        AND (lease_until IS NULL OR lease_until < now())) AS overdue
    WHERE place <= ${limit}::int ORDER BY place`;
  return rows.map(({ id, vendor, poll_number }) => ({
    taskId: id as TaskId,
    vendor: vendor as Vendor,
    pollNumber: poll_number,
  }));
}

/** Tasks whose lease ended during their submission: the worker has died. */
export async function abandonedSubmissions({ prisma }: Database, limit: number): Promise<readonly WorkerVideoTask[]> {
  const rows = await prisma.$queryRaw<VideoTaskRow[]>`
    SELECT * FROM video_task
    WHERE NOT is_final_task(state) AND state = 'submitting' AND lease_until < now()
    ORDER BY lease_until LIMIT ${limit}::int`;
  return rows.map(readVideoTask);
}

/** Open tasks that expired more than `longerThanMs` ago. */
export async function expiredTasks(
  { prisma }: Database,
  longerThanMs: number,
  limit: number,
): Promise<readonly { readonly taskId: TaskId }[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM video_task
    WHERE NOT is_final_task(state) AND state <> 'submitting'
      AND expires_at < now() - ${longerThanMs}::int * interval '1 millisecond'
      AND next_poll_at < now() - ${longerThanMs}::int * interval '1 millisecond'
      AND (lease_until IS NULL OR lease_until < now())
    ORDER BY expires_at LIMIT ${limit}::int`;
  return rows.map(({ id }) => ({ taskId: id as TaskId }));
}
