import type {
  FinalVideoTaskStatus,
  KeySpending,
  NativeTaskRecord,
  StoredVideoTask,
  UpstreamAttempt,
} from '@gateway/contracts';
import type { Database } from '../database.js';
import { storableJson } from '../storable-json.js';
import type { TaskRevision } from './submit-task.js';
import { readOneTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

export interface TaskCompletion {
  readonly state: FinalVideoTaskStatus;
  /** The word of the receipt. */
  readonly outcome: 'completed' | 'failed' | 'cancelled' | 'expired';
  /** Digits. At most the hold, and nothing for what was not made: Postgres refuses anything else. */
  readonly costNanoUsd: string;
  readonly units: Readonly<Record<string, number>>;
  readonly finishedAtMs: number;
  readonly startedAtMs: number | null;
  readonly content: StoredVideoTask['content'];
  readonly usage: StoredVideoTask['usage'];
  readonly seed: number | null;
  readonly error: StoredVideoTask['error'];
  readonly upstream: NativeTaskRecord | null;
  readonly attempts: readonly UpstreamAttempt[];
  /** Of a task whose cancellation was asked for. */
  readonly cancelOutcome: 'cancelled' | 'refused';
  /** It was never taken: the client may ask for it again under the same key. */
  readonly freesIdempotencyKey: boolean;
}

/**
 * Ends a task once: its state, receipt, money and event in one transaction. Null: the task has changed meanwhile, or has
 * ended. `record`: the task as customers see it after this change.
 */
export async function finishTask(
  { prisma }: Database,
  { taskId, version }: TaskRevision,
  end: TaskCompletion,
  record: unknown,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT * FROM finish_video_task(${taskId}, ${version}::int, ${storableJson(end)}::jsonb,
        ${storableJson(record)}::jsonb)`,
  );
}

interface SpendingRow {
  readonly id: string;
  readonly spent_nano_usd: bigint;
  readonly spending_version: bigint;
}

/** What Redis is told of a key once a task of it has ended. Null: there is no such key. */
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
