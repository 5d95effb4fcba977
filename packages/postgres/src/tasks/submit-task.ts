import type { UpstreamAttempt } from '@gateway/contracts';
import type { Database } from '../database.js';
import { storableJson } from '../storable-json.js';
import { readOneTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** A change of a task by somebody who has seen it: it is made if the task is still as it was seen. */
export interface TaskRevision {
  readonly taskId: string;
  readonly version: number;
}

/** Notes that this channel is being asked, before it is: from here on the task may run there. Null: the task has changed. */
export async function noteAsking(
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
  /** What customers call the task from here on. */
  readonly publicId: string;
  readonly attempts: readonly UpstreamAttempt[];
  readonly nextPollMs: number;
  /** The task as customers see it after this change: what the event says. */
  readonly record: unknown;
}

/** The upstream has taken it. Null: the task has changed meanwhile. */
export async function acceptTask(
  { prisma }: Database,
  { taskId, version }: TaskRevision,
  { upstreamTaskId, publicId, attempts, nextPollMs, record }: Acceptance,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT * FROM accept_video_task(${taskId}, ${version}::int, ${upstreamTaskId}, ${publicId},
        ${storableJson(attempts)}::jsonb, ${Math.round(nextPollMs)}::int, ${storableJson(record)}::jsonb)`,
  );
}

/** It was asked for, and whether it was taken nobody knows: it is never asked for again. Null: the task has changed. */
export async function noteSubmitUnknown(
  { prisma }: Database,
  { taskId, version }: TaskRevision,
  attempts: readonly UpstreamAttempt[],
  nextLookMs: number,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      UPDATE video_task SET state = 'submit_unknown', version = version + 1, attempts = ${storableJson(attempts)}::jsonb,
        lease_until = NULL, lease_owner = NULL, poll_number = poll_number + 1,
        next_poll_at = now() + ${Math.round(nextLookMs)}::int * interval '1 millisecond'
      WHERE id = ${taskId} AND version = ${version}::int AND state = 'submitting'
      RETURNING *`,
  );
}
