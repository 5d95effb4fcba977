/** Public states of a task. The last four are final. */
export const VIDEO_TASK_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;
export type VideoTaskStatus = (typeof VIDEO_TASK_STATUSES)[number];

export const FINAL_VIDEO_TASK_STATUSES = ['succeeded', 'failed', 'cancelled', 'expired'] as const;
export type FinalVideoTaskStatus = (typeof FINAL_VIDEO_TASK_STATUSES)[number];

/**
 * Internal states of a task. Customers see the first two as `queued`.
 * - `submitting`: the row is written; the upstream may or may not have received the task.
 * - `submit_unknown`: the upstream's response was lost, so the task may run there. It is never submitted again.
 */
export type VideoTaskState = 'submitting' | 'submit_unknown' | VideoTaskStatus;

export const isFinalVideoTask = (state: VideoTaskState): state is FinalVideoTaskStatus =>
  (FINAL_VIDEO_TASK_STATUSES as readonly VideoTaskState[]).includes(state);

/** The public state of a cancellation. */
export interface CancellationRecord {
  /** Unix seconds. */
  readonly requested_at: number;
  /** `refused`: the upstream can no longer stop the task; it goes on and is charged if it succeeds. */
  readonly outcome: 'pending' | 'cancelled' | 'refused';
  /** Decimal USD, charged if the task still succeeds. */
  readonly may_still_cost_usd: string;
  readonly message: string;
}

/** A task in every public response: `GET`, list, wait, events and webhooks. Times are Unix seconds. */
export interface VideoTaskRecord {
  /** `task_…`, or the upstream's own `cgt-…` id. */
  readonly id: string;
  readonly task_id: string;
  readonly object: 'video.task';
  readonly model: string;
  readonly status: VideoTaskStatus;
  /** Per cent, 0 to 100; null if the upstream reports none and the task has not ended. */
  readonly progress: number | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  /** The deadline: a task that has not ended then expires, and its hold is released. */
  readonly expires_at: number;
  readonly duration: number;
  readonly resolution: string;
  readonly aspect_ratio: string;
  readonly content: {
    readonly video_url: string;
    readonly last_frame_url?: string;
    /** When these addresses end. */
    readonly expires_at: number;
    /** Present where the gateway keeps results: the file in `/v1/files`, whose address outlives the vendor's. */
    readonly file_id?: string;
    readonly last_frame_file_id?: string;
  } | null;
  /** As the upstream counted it. */
  readonly usage: Readonly<Record<string, unknown>> | null;
  readonly seed: number | null;
  /** Decimal USD that was charged; null until the task has ended. */
  readonly cost: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly cancellation: CancellationRecord | null;
  /** The latest task record in the upstream's format; null until the first poll. */
  readonly upstream: Readonly<Record<string, unknown>> | null;
}
