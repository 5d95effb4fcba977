import type { AccountId, KeyId, RequestId, TaskId } from '../ids/ids.js';
import type { Vendor } from '../jobs/sync-ticket.job.js';
import type { NativeTaskRecord } from './task-reading.js';
import type { CancellationRecord, VideoTaskRecord, VideoTaskState } from './video-task.js';

/** A task as the tables hold it. Customers see what `renderVideoTask` makes of it. */
export interface StoredVideoTask {
  readonly taskId: TaskId;
  /** The upstream's own `cgt-…` where it gives such ids, else the task id. */
  readonly publicId: string;
  /** The request that submitted it: its hold, its receipt. */
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
  readonly isTest: boolean;
  readonly model: string;
  readonly vendor: Vendor;
  readonly state: VideoTaskState;
  /** Rises with every change: who changes a task names the version that it has seen. */
  readonly version: number;
  /** The channel that was asked to make it, and is asked how it is; null until one was. */
  readonly channelId: string | null;
  readonly upstreamTaskId: string | null;
  readonly durationSeconds: number;
  readonly resolution: string;
  readonly aspectRatio: string;
  /** What one second of it counts as. */
  readonly unit: string;
  readonly priceVersion: string;
  /** Decimal USD per million of the unit, frozen at admission. */
  readonly unitPrices: Readonly<Record<string, string>>;
  readonly holdNanoUsd: bigint;
  /** Null until it has ended. */
  readonly costNanoUsd: bigint | null;
  readonly webhookUrl: string | null;
  readonly createdAtMs: number;
  /** Since when the upstream is asked for it; null: it never was. */
  readonly askedAtMs: number | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly expiresAtMs: number;
  readonly progress: number | null;
  readonly content: VideoTaskRecord['content'];
  readonly usage: VideoTaskRecord['usage'];
  readonly seed: number | null;
  readonly error: VideoTaskRecord['error'];
  readonly cancelRequestedAtMs: number | null;
  readonly cancelOutcome: CancellationRecord['outcome'] | null;
  /** The upstream's own record, as it came last. */
  readonly upstream: NativeTaskRecord | null;
}
