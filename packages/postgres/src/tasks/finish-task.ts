import type {
  FinalVideoTaskStatus,
  KeySpending,
  NativeTaskRecord,
  StoredVideoTask,
  UpstreamAttempt,
} from '@gateway/contracts';
import type { Database } from '../database.js';
import { toStorableJson } from '../storable-json.js';
import type { TaskRevision } from './submit-task.js';
import { readOneTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

export interface TaskCompletion {
  readonly state: FinalVideoTaskStatus;
  /** The outcome on the receipt. */
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'expired';
  /** Decimal digits. PostgreSQL refuses a cost above the hold, and any cost of a task that was cancelled or expired. */
  readonly costNanoUsd: string;
  /** What the vendor bills, by its own report or by the catalogue. Null: unknown. */
  readonly vendorCostNanoUsd: string | null;
  readonly units: Readonly<Record<string, number>>;
  readonly finishedAtMs: number;
  readonly startedAtMs: number | null;
  readonly content: StoredVideoTask['content'];
  readonly usage: StoredVideoTask['usage'];
  readonly seed: number | null;
  readonly error: StoredVideoTask['error'];
  readonly upstream: NativeTaskRecord | null;
  readonly attempts: readonly UpstreamAttempt[];
  /** Used only if cancellation was requested. */
  readonly cancelOutcome: 'cancelled' | 'refused';
  /** True if the upstream never accepted the task: the client may use the idempotency key again. */
  readonly freesIdempotencyKey: boolean;
}

/**
 * Ends a task once: state, receipt, money, event and the results to fetch in one transaction. `record`: the task as customers see it after this
 * change. Null: the task has changed meanwhile or has ended.
 */
export async function finishTask(
  { prisma }: Database,
  { taskId, version }: TaskRevision,
  completion: TaskCompletion,
  record: unknown,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      WITH ended AS MATERIALIZED (
        SELECT * FROM finish_video_task(${taskId}, ${version}::int, ${toStorableJson(completion)}::jsonb,
          ${toStorableJson(record)}::jsonb)
      ), to_fetch AS (
        INSERT INTO fetched_result
          (file_id, task_id, part, account_id, key_id, is_test, source_url, source_expires_at, billed_seconds)
        SELECT part.file_id, ended.id, part.name, account_id, key_id, is_test, part.url,
          to_timestamp((content ->> 'expires_at')::float8), part.seconds
        FROM ended CROSS JOIN LATERAL (VALUES
          ('video', content ->> 'file_id', content ->> 'video_url', ${billedSecondsOf(completion)}::int),
          ('last_frame', content ->> 'last_frame_file_id', content ->> 'last_frame_url', NULL)
        ) AS part (name, file_id, url, seconds)
        WHERE part.file_id IS NOT NULL AND part.url IS NOT NULL
      )
      SELECT * FROM ended`,
  );
}

/** All units of a video are seconds. */
const billedSecondsOf = ({ units }: TaskCompletion): number =>
  Object.values(units).reduce((sum, seconds) => sum + seconds, 0);

interface SpendingRow {
  readonly id: string;
  readonly spent_nano_usd: bigint;
  readonly spending_version: bigint;
}

/** The amount that a key has spent, for Redis, after one of its tasks has ended. Null: there is no such key. */
export async function readKeySpending({ prisma }: Database, keyId: string): Promise<KeySpending | null> {
  const [row] = await prisma.$queryRaw<SpendingRow[]>`
    SELECT counted.id, counted.spent_nano_usd, counted.spending_version
    FROM api_key JOIN api_key AS counted ON counted.id = coalesce(api_key.spending_key_id, api_key.id)
    WHERE api_key.id = ${keyId}`;
  if (row === undefined) return null;
  return {
    spendingKeyId: row.id as KeySpending['spendingKeyId'],
    spentNanoUsd: row.spent_nano_usd.toString(),
    version: row.spending_version.toString(),
  };
}
