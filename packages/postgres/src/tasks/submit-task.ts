import type { UpstreamAttempt } from '@gateway/contracts';
import type { Database } from '../database.js';
import { toStorableJson } from '../storable-json.js';
import { readOneTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** A task as its caller read it. A change is made only if the task still has this version. */
export interface TaskRevision {
  readonly taskId: string;
  readonly version: number;
}

/** Records the channel before the request to it: from here on the task may run there. Null: the task has changed. */
export async function recordSubmission(
  { prisma }: Database,
  { taskId, version }: TaskRevision,
  channelId: string,
  leaseMs: number,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      UPDATE video_task SET channel_id = ${channelId}, asked_at = now(), version = version + 1,
        lease_until = now() + ${leaseMs}::int * interval '1 millisecond'
      WHERE id = ${taskId} AND version = ${version}::int AND state = 'submitting'
      RETURNING *`,
  );
}

export interface Acceptance {
  readonly upstreamTaskId: string;
  /** The id that customers see from here on. */
  readonly publicId: string;
  readonly attempts: readonly UpstreamAttempt[];
  readonly nextPollMs: number;
  /** The task as customers see it after this change: the data of the event. */
  readonly record: unknown;
}

/** Records that the upstream has accepted the task, with the event. Null: the task has changed meanwhile. */
export async function acceptTask(
  { prisma }: Database,
  { taskId, version }: TaskRevision,
  { upstreamTaskId, publicId, attempts, nextPollMs, record }: Acceptance,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      WITH accepted AS (
        UPDATE video_task SET state = 'queued', version = version + 1, upstream_task_id = ${upstreamTaskId},
          public_id = ${publicId}, attempts = ${toStorableJson(attempts)}::jsonb, submitted_at = now(), prompt = NULL,
          lease_until = NULL, lease_owner = NULL, doubts = 0, doubted_at = NULL, poll_failures = 0,
          poll_number = poll_number + 1,
          next_poll_at = now() + ${Math.round(nextPollMs)}::int * interval '1 millisecond'
        WHERE id = ${taskId} AND version = ${version}::int AND state IN ('submitting', 'submit_unknown')
        RETURNING *)
      SELECT *, emit_event(account_id, 'video.task.queued', id, ${toStorableJson(record)}::jsonb, webhook_url, is_test)
        AS event_id FROM accepted`,
  );
}

/** The upstream may have accepted the request: it is never submitted again. Null: the task has changed. */
export async function recordUnknownSubmission(
  { prisma }: Database,
  { taskId, version }: TaskRevision,
  attempts: readonly UpstreamAttempt[],
  nextPollMs: number,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      UPDATE video_task SET state = 'submit_unknown', version = version + 1, attempts = ${toStorableJson(attempts)}::jsonb,
        lease_until = NULL, lease_owner = NULL, poll_number = poll_number + 1,
        next_poll_at = now() + ${Math.round(nextPollMs)}::int * interval '1 millisecond'
      WHERE id = ${taskId} AND version = ${version}::int AND state = 'submitting'
      RETURNING *`,
  );
}
