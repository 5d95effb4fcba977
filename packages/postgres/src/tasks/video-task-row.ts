import type {
  AccountId,
  KeyId,
  RequestId,
  StoredVideoTask,
  TaskId,
  UpstreamAttempt,
  Vendor,
  VideoTaskState,
} from '@gateway/contracts';
import { Sql } from '../sql.js';

/** A task with the fields that only its workers use. */
export interface WorkerVideoTask extends StoredVideoTask {
  /** The client's text; null once the upstream has accepted the task. */
  readonly prompt: string | null;
  readonly idempotencyKey: string | null;
  readonly idempotencyFingerprint: string | null;
  readonly submittedAtMs: number | null;
  readonly attempts: readonly UpstreamAttempt[];
  readonly pollNumber: number;
  /** When the next poll is due; null: the task is being submitted or has ended. */
  readonly nextPollAtMs: number | null;
  /** Failed polls in a row. */
  readonly pollFailures: number;
  /** Polls in a row in which the upstream did not know the task, and the time of the first. */
  readonly missCount: number;
  readonly firstMissAtMs: number | null;
  readonly leaseOwner: string | null;
  /** The W3C `traceparent` of the submission's span; null: it was not traced. */
  readonly traceparent: string | null;
  /** How far the clock of this process was ahead of PostgreSQL's. 0: the statement did not read it. */
  readonly clockAheadMs: number;
}

/** The clock that all workers share. A task ends by it, and not by that of one process. */
export const taskTimeMs = ({ clockAheadMs }: Pick<WorkerVideoTask, 'clockAheadMs'>): number =>
  Date.now() - clockAheadMs;

/** For what its worker decides by the time. */
export const READ_CLOCK = new Sql(['clock_timestamp() AS read_at'], []);

export interface VideoTaskRow {
  readonly id: string;
  readonly public_id: string;
  readonly request_id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly is_test: boolean;
  readonly model: string;
  readonly vendor: string;
  readonly state: string;
  readonly version: number;
  readonly channel_id: string | null;
  readonly upstream_task_id: string | null;
  readonly duration_seconds: number;
  readonly resolution: string;
  readonly aspect_ratio: string;
  readonly unit: string;
  readonly price_version: string;
  readonly unit_prices: Record<string, string>;
  readonly hold_nano_usd: bigint;
  readonly cost_nano_usd: bigint | null;
  readonly prompt: string | null;
  readonly webhook_url: string | null;
  readonly idempotency_key: string | null;
  readonly idempotency_fingerprint: string | null;
  readonly created_at: Date;
  readonly asked_at: Date | null;
  readonly submitted_at: Date | null;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly expires_at: Date;
  readonly progress: number | null;
  readonly content: StoredVideoTask['content'];
  readonly usage: StoredVideoTask['usage'];
  readonly seed: bigint | null;
  readonly error: StoredVideoTask['error'];
  readonly upstream: StoredVideoTask['upstream'];
  readonly attempts: UpstreamAttempt[];
  readonly cancel_requested_at: Date | null;
  readonly cancel_outcome: string | null;
  readonly poll_number: number;
  readonly next_poll_at: Date | null;
  readonly poll_failures: number;
  readonly doubts: number;
  readonly doubted_at: Date | null;
  readonly lease_owner: string | null;
  readonly traceparent: string | null;
  /** Only with READ_CLOCK. */
  readonly read_at?: Date;
  /** Only in what customers read. */
  readonly gone_files?: readonly string[];
}

const msOf = (moment: Date | null): number | null => moment?.getTime() ?? null;

export const readVideoTask = (row: VideoTaskRow): WorkerVideoTask => ({
  taskId: row.id as TaskId,
  publicId: row.public_id,
  requestId: row.request_id as RequestId,
  accountId: row.account_id as AccountId,
  keyId: row.key_id as KeyId,
  isTest: row.is_test,
  model: row.model,
  vendor: row.vendor as Vendor,
  state: row.state as VideoTaskState,
  version: row.version,
  channelId: row.channel_id,
  upstreamTaskId: row.upstream_task_id,
  durationSeconds: row.duration_seconds,
  resolution: row.resolution,
  aspectRatio: row.aspect_ratio,
  unit: row.unit,
  priceVersion: row.price_version,
  unitPrices: row.unit_prices,
  holdNanoUsd: row.hold_nano_usd,
  costNanoUsd: row.cost_nano_usd,
  prompt: row.prompt,
  webhookUrl: row.webhook_url,
  idempotencyKey: row.idempotency_key,
  idempotencyFingerprint: row.idempotency_fingerprint,
  createdAtMs: row.created_at.getTime(),
  upstreamCalledAtMs: msOf(row.asked_at),
  submittedAtMs: msOf(row.submitted_at),
  startedAtMs: msOf(row.started_at),
  finishedAtMs: msOf(row.finished_at),
  expiresAtMs: row.expires_at.getTime(),
  progress: row.progress,
  content: row.content,
  ...(row.gone_files !== undefined && { goneFileIds: row.gone_files }),
  usage: row.usage,
  seed: row.seed === null ? null : Number(row.seed),
  error: row.error,
  upstream: row.upstream,
  attempts: row.attempts,
  cancelRequestedAtMs: msOf(row.cancel_requested_at),
  cancelOutcome: row.cancel_outcome as StoredVideoTask['cancelOutcome'],
  pollNumber: row.poll_number,
  nextPollAtMs: msOf(row.next_poll_at),
  pollFailures: row.poll_failures,
  missCount: row.doubts,
  firstMissAtMs: msOf(row.doubted_at),
  leaseOwner: row.lease_owner,
  traceparent: row.traceparent,
  clockAheadMs: row.read_at === undefined ? 0 : Date.now() - row.read_at.getTime(),
});

export const indexTasks = (rows: readonly VideoTaskRow[]): ReadonlyMap<string, WorkerVideoTask> =>
  new Map(rows.map((row) => [row.id, readVideoTask(row)]));

/** Reads the result of a statement that returns one task or none. */
export function readOneTask(rows: readonly VideoTaskRow[]): WorkerVideoTask | null {
  const [row] = rows;
  return row === undefined ? null : readVideoTask(row);
}
