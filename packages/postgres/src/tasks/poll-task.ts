import type { NativeTaskRecord } from '@gateway/contracts';
import type { Database } from '../database.js';
import { storableJson } from '../storable-json.js';
import type { SeenTask } from './submit-task.js';
import { readOneTask, type VideoTaskRow, type WorkedVideoTask } from './video-task-row.js';

/** Lets one worker alone look at an open task for a while. Null: it has ended, is being submitted, or another is at it. */
export async function claimPoll(
  { prisma }: Database,
  taskId: string,
  owner: string,
  leaseMs: number,
): Promise<WorkedVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      UPDATE video_task SET lease_owner = ${owner}, lease_until = now() + ${leaseMs}::int * interval '1 millisecond'
      WHERE id = ${taskId} AND state IN ('submit_unknown', 'queued', 'running')
        AND (lease_until IS NULL OR lease_until < now())
      RETURNING *`,
  );
}

/** Lets go of a task that was claimed and not looked at, and says when it is to be. Null: another has it by now. */
export async function postponePoll(
  { prisma }: Database,
  taskId: string,
  owner: string,
  nextPollMs: number,
): Promise<WorkedVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      UPDATE video_task SET lease_owner = NULL, lease_until = NULL, poll_number = poll_number + 1,
        next_poll_at = now() + ${Math.round(nextPollMs)}::int * interval '1 millisecond'
      WHERE id = ${taskId} AND lease_owner = ${owner} AND state IN ('submit_unknown', 'queued', 'running')
      RETURNING *`,
  );
}

/** What a look at a task has found, short of an end. */
export interface PollNote {
  /** What the upstream says; null: nothing. */
  readonly state: 'queued' | 'running' | null;
  readonly startedAtMs: number | null;
  readonly progress: number | null;
  readonly upstream: NativeTaskRecord | null;
  readonly failures: number;
  readonly doubts: number;
  readonly nextPollMs: number;
}

/** Null: the task has changed meanwhile. `record`: the task as customers see it after this change. */
export async function notePoll(
  { prisma }: Database,
  { taskId, version }: SeenTask,
  note: PollNote,
  record: unknown,
): Promise<WorkedVideoTask | null> {
  const rounded = { ...note, nextPollMs: Math.round(note.nextPollMs) };
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT * FROM note_video_poll(${taskId}, ${version}::int, ${storableJson(rounded)}::jsonb,
        ${storableJson(record)}::jsonb)`,
  );
}
