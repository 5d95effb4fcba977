/** What customers see of a task's life. The last four are final. */
export const VIDEO_TASK_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;
export type VideoTaskStatus = (typeof VIDEO_TASK_STATUSES)[number];

export const FINAL_VIDEO_TASK_STATUSES = ['succeeded', 'failed', 'cancelled', 'expired'] as const;
export type FinalVideoTaskStatus = (typeof FINAL_VIDEO_TASK_STATUSES)[number];

/**
 * Where a task stands inside. `submitting`: its row is written, the upstream may or may not have been asked.
 * `submit_unknown`: it was asked and its answer was lost, so the task may be running there; it is never asked again.
 * Customers see both as `queued`.
 */
export type VideoTaskState = 'submitting' | 'submit_unknown' | VideoTaskStatus;

export const isFinalVideoTask = (state: VideoTaskState): state is FinalVideoTaskStatus =>
  (FINAL_VIDEO_TASK_STATUSES as readonly VideoTaskState[]).includes(state);

/** What is known of a cancellation, for the one who asked for it. */
export interface CancellationRecord {
  /** Unix seconds. */
  readonly requested_at: number;
  /** `refused`: the upstream cannot stop the task any more, it goes on and is charged if it succeeds. */
  readonly outcome: 'pending' | 'cancelled' | 'refused';
  /** Decimal USD that are charged if the task succeeds all the same. */
  readonly may_still_cost_usd: string;
  readonly message: string;
}

/** A task as it is shown everywhere: `GET`, list, wait, events and webhooks. Times are Unix seconds. */
export interface VideoTaskRecord {
  /** `task_…`, or the upstream's own `cgt-…` where it gives such ids. */
  readonly id: string;
  readonly task_id: string;
  readonly object: 'video.task';
  readonly model: string;
  readonly status: VideoTaskStatus;
  /** Per cent, 0 to 100; null where the upstream says nothing and the task has not ended. */
  readonly progress: number | null;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  /** When a task that has not ended by itself is given up and its money returned. */
  readonly expires_at: number;
  readonly duration: number;
  readonly resolution: string;
  readonly aspect_ratio: string;
  readonly content: {
    readonly video_url: string;
    readonly last_frame_url?: string;
    /** Until when the upstream keeps the files. */
    readonly expires_at: number;
  } | null;
  /** As the upstream counted it. */
  readonly usage: Readonly<Record<string, unknown>> | null;
  readonly seed: number | null;
  /** Decimal USD: what the task was charged; null until it has ended. */
  readonly cost: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly cancellation: CancellationRecord | null;
  /** The upstream's own record, as it came last; null until it has been asked. */
  readonly upstream: Readonly<Record<string, unknown>> | null;
}
