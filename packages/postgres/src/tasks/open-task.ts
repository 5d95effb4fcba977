import type { AccountId, KeyId, RequestId, TaskId, Vendor } from '@gateway/contracts';
import type { Database } from '../database.js';
import { storableJson } from '../storable-json.js';
import { readOneTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** A task as it is written down before anything is done for it. */
export interface NewVideoTask {
  readonly taskId: TaskId;
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly isTest: boolean;
  readonly model: string;
  readonly vendor: Vendor;
  readonly durationSeconds: number;
  readonly resolution: string;
  readonly aspectRatio: string;
  readonly unit: string;
  readonly priceVersion: string;
  readonly unitPrices: Readonly<Record<string, string>>;
  /** Digits. */
  readonly holdNanoUsd: string;
  readonly prompt: string | null;
  readonly webhookUrl: string | null;
  readonly idempotencyKey: string | null;
  readonly idempotencyFingerprint: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The W3C header of its submission's span; null: it is not traced. */
  readonly traceparent: string | null;
}

export type OpenedTask =
  | { readonly outcome: 'opened'; readonly task: WorkerVideoTask }
  /** A task of the same idempotency key is there, or of the same request. */
  | { readonly outcome: 'exists'; readonly task: WorkerVideoTask }
  /** The request has been settled: it may not begin any more. */
  | { readonly outcome: 'settled' };

/** Writes the row, and gives whoever did so `leaseMs` to submit the task. */
export async function openTask({ prisma }: Database, task: NewVideoTask, leaseMs: number): Promise<OpenedTask> {
  const row = readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT * FROM open_video_task(${storableJson(task)}::jsonb, ${leaseMs}::int)`,
  );
  if (row === null) return { outcome: 'settled' };
  const isNew = row.taskId === task.taskId && row.version === 1 && row.askedAtMs === null && row.state === 'submitting';
  return { outcome: isNew ? 'opened' : 'exists', task: row };
}
