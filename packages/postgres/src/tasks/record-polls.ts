import type { NativeTaskRecord } from '@gateway/contracts';
import type { Database } from '../database.js';
import { toStorableJson } from '../storable-json.js';
import { indexTasks, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** What a poll found, short of an end. */
export interface PollUpdate {
  /** Null: the upstream gave no state. */
  readonly state: 'queued' | 'running' | null;
  readonly startedAtMs: number | null;
  readonly progress: number | null;
  readonly upstream: NativeTaskRecord | null;
  readonly failures: number;
  readonly missCount: number;
  readonly nextPollMs: number;
}

/** A poll of a task as its worker read it. */
export interface RecordedPoll {
  readonly taskId: string;
  readonly task: WorkerVideoTask;
  readonly update: PollUpdate;
  /** The task as customers see it after this change: the data of the event. Undefined: there is no event. */
  readonly record?: unknown;
}

/** True if customers get an event: the task has left its upstream's queue. */
export const startsRunning = (task: WorkerVideoTask, { state }: PollUpdate): boolean =>
  task.state === 'queued' && state === 'running';

/** The fields that a poll changes for customers. A running task never returns to the queue, and progress never falls. */
export const taskAfterPoll = (task: WorkerVideoTask, update: PollUpdate): WorkerVideoTask => ({
  ...task,
  state: startsRunning(task, update) ? 'running' : task.state,
  startedAtMs: task.startedAtMs ?? update.startedAtMs,
  progress: update.progress === null ? task.progress : Math.max(update.progress, task.progress ?? 0),
  upstream: update.upstream ?? task.upstream,
});

/**
 * Writes polls in one statement and releases their leases. A task is missing if its version has changed since the
 * worker read it. Call it with one poll at a time if the poll has a `record`: an event locks its account's events.
 */
export async function recordPolls(
  { prisma }: Database,
  polls: readonly RecordedPoll[],
): Promise<ReadonlyMap<string, WorkerVideoTask>> {
  // The ids are a list of their own, so that PostgreSQL knows their number and uses the primary key.
  const ids = polls.map(({ taskId }) => taskId);
  return indexTasks(
    await prisma.$queryRaw<VideoTaskRow[]>`
      WITH polled AS (SELECT * FROM jsonb_to_recordset(${toStorableJson(polls.map(columnsOf))}::jsonb) AS polled(
          "taskId" text, version int, state text, "startedAtMs" numeric, progress int, upstream jsonb, failures int,
          "missCount" int, "nextPollMs" int, record jsonb)),
        unchanged AS (SELECT id FROM video_task AS task JOIN polled ON id = "taskId" AND task.version = polled.version
          WHERE id = ANY(${ids}::text[]) AND NOT is_final_task(task.state) ORDER BY id FOR NO KEY UPDATE OF task),
        changed AS (UPDATE video_task AS task SET version = task.version + 1, state = polled.state,
            started_at = to_timestamp("startedAtMs" / 1000.0), progress = polled.progress,
            upstream = coalesce(nullif(polled.upstream, 'null'), task.upstream),
            poll_failures = failures, doubts = "missCount",
            doubted_at = CASE WHEN "missCount" = 0 THEN NULL ELSE coalesce(doubted_at, now()) END,
            poll_number = poll_number + 1, lease_until = NULL, lease_owner = NULL,
            next_poll_at = now() + "nextPollMs" * interval '1 millisecond'
          FROM unchanged JOIN polled ON "taskId" = unchanged.id WHERE task.id = unchanged.id
          RETURNING task.*, record)
      SELECT *, CASE WHEN record IS NOT NULL THEN
        emit_event(account_id, 'video.task.running', id, record, webhook_url, is_test) END AS event_id FROM changed`,
  );
}

function columnsOf({ taskId, task, update, record }: RecordedPoll) {
  const { state, startedAtMs, progress } = taskAfterPoll(task, update);
  const { upstream, failures, missCount } = update;
  const nextPollMs = Math.round(update.nextPollMs);
  return {
    taskId,
    version: task.version,
    state,
    startedAtMs,
    progress,
    upstream,
    failures,
    missCount,
    nextPollMs,
    record,
  };
}
