import type { AccountId, KeyId, RequestId, TaskId, Vendor } from '@gateway/contracts';
import type { Database } from '../database.js';
import { toStorableJson } from '../storable-json.js';
import { readOneTask, type VideoTaskRow, type WorkerVideoTask } from './video-task-row.js';

/** A task as it is stored before it is submitted. */
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
  /** Decimal digits. */
  readonly holdNanoUsd: string;
  readonly prompt: string | null;
  /** The seed that the client asked for. */
  readonly seed?: number | null;
  readonly webhookUrl: string | null;
  /** How long its files are kept. Absent: as long as those of its account. */
  readonly retainSeconds?: number;
  readonly idempotencyKey: string | null;
  readonly idempotencyFingerprint: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The W3C `traceparent` of the submission's span; null: it is not traced. */
  readonly traceparent: string | null;
}

export type OpenedTask =
  | { readonly outcome: 'opened'; readonly task: WorkerVideoTask }
  /** A task of the same request or of the same idempotency key exists. */
  | { readonly outcome: 'exists'; readonly task: WorkerVideoTask }
  /** The request has a receipt, so it may not begin any more. */
  | { readonly outcome: 'settled' };

/** Stores the task and gives its worker `leaseMs` to submit it. A task that no worker has submitted yet is opened again. */
export async function openTask(database: Database, task: NewVideoTask, leaseMs: number): Promise<OpenedTask> {
  // Two statements: the insert waits for a concurrent one, whose row only a later snapshot shows.
  const stored = (await insertTask(database, task, leaseMs)) ?? (await findRival(database, task));
  if (stored === null) return { outcome: 'settled' };
  const isUntouched = stored.version === 1 && stored.upstreamCalledAtMs === null && stored.state === 'submitting';
  return { outcome: stored.taskId === task.taskId && isUntouched ? 'opened' : 'exists', task: stored };
}

/** Null: the request is settled, or a unique index found another task. */
async function insertTask({ prisma }: Database, task: NewVideoTask, leaseMs: number): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      INSERT INTO video_task (id, public_id, request_id, account_id, key_id, is_test, model, vendor, state,
        duration_seconds, resolution, aspect_ratio, unit, price_version, unit_prices, hold_nano_usd, prompt, seed, webhook_url,
        retain_seconds, idempotency_key, idempotency_fingerprint, created_at, expires_at, lease_until, traceparent)
      SELECT "taskId", "taskId", "requestId", "accountId", "keyId", "isTest", model, vendor, 'submitting',
        "durationSeconds", resolution, "aspectRatio", unit, "priceVersion", "unitPrices", "holdNanoUsd", prompt, seed,
        "webhookUrl", "retainSeconds", "idempotencyKey", "idempotencyFingerprint", to_timestamp("createdAtMs" / 1000.0),
        to_timestamp("expiresAtMs" / 1000.0), now() + ${leaseMs}::int * interval '1 millisecond', traceparent
      FROM jsonb_to_record(${toStorableJson(task)}::jsonb) AS task (
        "taskId" text, "requestId" text, "accountId" text, "keyId" text, "isTest" boolean, model text, vendor text,
        "durationSeconds" int, resolution text, "aspectRatio" text, unit text, "priceVersion" text, "unitPrices" jsonb,
        "holdNanoUsd" bigint, prompt text, seed bigint, "webhookUrl" text, "retainSeconds" int,
        "idempotencyKey" text, "idempotencyFingerprint" text,
        "createdAtMs" numeric, "expiresAtMs" numeric, traceparent text)
      WHERE NOT EXISTS (SELECT 1 FROM settlement WHERE settlement.request_id = "requestId")
      ON CONFLICT DO NOTHING
      RETURNING *`,
  );
}

/** The task of the same request or idempotency key. Null: the request is settled. */
async function findRival(
  { prisma }: Database,
  { requestId, accountId, isTest, idempotencyKey }: NewVideoTask,
): Promise<WorkerVideoTask | null> {
  return readOneTask(
    await prisma.$queryRaw<VideoTaskRow[]>`
      SELECT * FROM video_task
      WHERE (request_id = ${requestId}
          OR (account_id = ${accountId} AND is_test = ${isTest} AND idempotency_key = ${idempotencyKey}::text))
        AND NOT EXISTS (SELECT 1 FROM settlement WHERE settlement.request_id = ${requestId})
      LIMIT 1`,
  );
}
