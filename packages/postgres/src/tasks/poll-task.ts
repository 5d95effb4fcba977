import type { NativeTaskRecord } from '@gateway/contracts';
import type { Database } from '../database.js';
import { storableJson } from '../storable-json.js';
import type { TaskRevision } from './submit-task.js';
import { readOneTask, readVideoTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

export interface PollClaim {
  readonly taskId: string;
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * Lets one worker alone look at open tasks for a while. Missing are those that have ended, are being submitted, or that
 * another is at. Their rows are locked in one order, so that two workers never wait for each other.
 */
export async function claimPolls(
  { prisma }: Database,
  claims: readonly PollClaim[],
): Promise<ReadonlyMap<string, WorkerVideoTask>> {
  return byId(
    await prisma.$queryRaw<VideoTaskRow[]>`
      WITH claim AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(claims)}::jsonb)
          AS claim("taskId" text, owner text, "leaseMs" int)),
        free AS (SELECT id FROM video_task
          WHERE id IN (SELECT "taskId" FROM claim) AND state IN ('submit_unknown', 'queued', 'running')
            AND (lease_until IS NULL OR lease_until < now())
          ORDER BY id FOR NO KEY UPDATE)
      UPDATE video_task AS task SET lease_owner = owner, lease_until = now() + "leaseMs" * interval '1 millisecond'
      FROM free JOIN claim ON "taskId" = free.id WHERE task.id = free.id
      RETURNING task.*`,
  );
}

/** Lets go of a task that was claimed and not looked at, and says when it is to be. Null: another has it by now. */
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

/** What a look at a task has found, short of an end. */
export interface PollUpdate {
  /** What the upstream says; null: nothing. */
  readonly state: 'queued' | 'running' | null;
  readonly startedAtMs: number | null;
  readonly progress: number | null;
  readonly upstream: NativeTaskRecord | null;
  readonly failures: number;
  readonly missCount: number;
  readonly nextPollMs: number;
}

export interface SeenPoll extends TaskRevision {
  readonly note: PollUpdate;
}

/**
 * Writes down looks that found nothing for a customer to hear of. Missing are tasks that have changed meanwhile, and those
 * that have begun to run: `notePoll` is for these.
 */
export async function noteQuietPolls(
  { prisma }: Database,
  polls: readonly SeenPoll[],
): Promise<ReadonlyMap<string, WorkerVideoTask>> {
  const noted = polls.map(({ taskId, version, note }) => ({ taskId, version, ...rounded(note) }));
  return byId(
    await prisma.$queryRaw<VideoTaskRow[]>`
      WITH noted AS (SELECT * FROM jsonb_to_recordset(${storableJson(noted)}::jsonb) AS noted("taskId" text,
          version int, state text, "startedAtMs" numeric, progress int, upstream jsonb, failures int, doubts int,
          "nextPollMs" int)),
        seen AS (SELECT id FROM video_task AS task JOIN noted ON id = "taskId" AND task.version = noted.version
          WHERE NOT is_final_task(task.state) AND (task.state <> 'queued' OR noted.state IS DISTINCT FROM 'running')
          ORDER BY id FOR NO KEY UPDATE OF task)
      UPDATE video_task AS task SET version = task.version + 1,
        started_at = coalesce(task.started_at, to_timestamp("startedAtMs" / 1000.0)),
        progress = greatest(task.progress, noted.progress),
        upstream = coalesce(nullif(noted.upstream, 'null'), task.upstream),
        poll_failures = failures,
        doubts = noted.doubts,
        doubted_at = CASE WHEN noted.doubts = 0 THEN NULL ELSE coalesce(doubted_at, now()) END,
        poll_number = poll_number + 1, lease_until = NULL, lease_owner = NULL,
        next_poll_at = now() + "nextPollMs" * interval '1 millisecond'
      FROM seen JOIN noted ON "taskId" = seen.id WHERE task.id = seen.id
      RETURNING task.*`,
  );
}

/** Null: the task has changed meanwhile. `record`: the task as customers see it after this change. */
export async function notePoll(
  { prisma }: Database,
  { taskId, version }: TaskRevision,
  note: PollUpdate,
  record: unknown,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT * FROM note_video_poll(${taskId}, ${version}::int, ${storableJson(rounded(note))}::jsonb,
        ${storableJson(record)}::jsonb)`,
  );
}

const rounded = (note: PollUpdate): PollUpdate => ({ ...note, nextPollMs: Math.round(note.nextPollMs) });

const byId = (rows: readonly VideoTaskRow[]): ReadonlyMap<string, WorkerVideoTask> =>
  new Map(rows.map((row) => [row.id, readVideoTask(row)]));
