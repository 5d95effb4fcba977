import type { TaskId, Vendor } from '@gateway/contracts';
import type { Database } from '../database.js';
import { readVideoTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** An open task whose alarm should have rung. */
export interface OverdueTask {
  readonly taskId: TaskId;
  readonly vendor: Vendor;
  readonly pollNumber: number;
}

/**
 * Those that should have been looked at `graceMs` ago and that nobody is looking at, the longest overdue first: at most `limit`
 * of each vendor, so that those of one that nobody serves do not stand before all the others'.
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

/** Tasks whose worker has not come to the end of their submission in its time: it has died. */
export async function abandonedSubmissions({ prisma }: Database, limit: number): Promise<readonly WorkerVideoTask[]> {
  const rows = await prisma.$queryRaw<VideoTaskRow[]>`
    SELECT * FROM video_task
    WHERE NOT is_final_task(state) AND state = 'submitting' AND lease_until < now()
    ORDER BY lease_until LIMIT ${limit}::int`;
  return rows.map(readVideoTask);
}

/** Tasks whose time has been over for `longerThanMs` and that nobody has ended. */
export async function unheardTasks(
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
