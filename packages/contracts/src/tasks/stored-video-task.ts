import type { AccountId, KeyId, RequestId, TaskId } from '../ids/ids.js';
import type { Vendor } from '../jobs/sync-ticket.job.js';
import type { NativeTaskRecord } from './task-reading.js';
import type { CancellationRecord, VideoTaskRecord, VideoTaskState } from './video-task.js';

/** A task as stored. `renderVideoTask` renders it for customers. */
export interface StoredVideoTask {
  readonly taskId: TaskId;
  /** The upstream's own `cgt-…` id if it has one, else the task id. */
  readonly publicId: string;
  /** The request that submitted the task; names its hold and receipt. */
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly isTest: boolean;
  readonly model: string;
  readonly vendor: Vendor;
  readonly state: VideoTaskState;
  /** Incremented by each change; a writer names the version that it read (optimistic locking). */
  readonly version: number;
  /** The channel that received the task and is polled for it; null until it was submitted. */
  readonly channelId: string | null;
  readonly upstreamTaskId: string | null;
  readonly durationSeconds: number;
  readonly resolution: string;
  readonly aspectRatio: string;
  /** The price unit of one second. */
  readonly unit: string;
  readonly priceVersion: string;
  /** Decimal USD per million of the unit, frozen at admission. */
  readonly unitPrices: Readonly<Record<string, string>>;
  readonly holdNanoUsd: bigint;
  /** Null until the task has ended. */
  readonly costNanoUsd: bigint | null;
  readonly webhookUrl: string | null;
  readonly createdAtMs: number;
  /** Time of the submission to the upstream; null: never submitted. */
  readonly upstreamCalledAtMs: number | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly expiresAtMs: number;
  readonly progress: number | null;
  readonly content: VideoTaskRecord['content'];
  /** The files of `content` that are no more. Absent: the reader did not ask. */
  readonly goneFileIds?: readonly string[];
  readonly usage: VideoTaskRecord['usage'];
  readonly seed: number | null;
  readonly error: VideoTaskRecord['error'];
  readonly cancelRequestedAtMs: number | null;
  readonly cancelOutcome: CancellationRecord['outcome'] | null;
  /** The latest task record in the upstream's format. */
  readonly upstream: NativeTaskRecord | null;
}
