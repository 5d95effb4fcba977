import type { Usd } from '../format/money.js';

export const TASK_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** One video task of `GET /account/tasks`. */
export interface Task {
  readonly id: string;
  readonly request_id: string;
  readonly key_id: string;
  readonly model: string;
  readonly test: boolean;
  readonly status: TaskStatus;
  /** Per cent. Null: the vendor reports none. */
  readonly progress: number | null;
  /** From acceptance to end. Null: no task of the model has succeeded yet. */
  readonly usual_duration_ms: number | null;
  readonly duration_seconds: number;
  readonly resolution: string;
  readonly aspect_ratio: string;
  readonly hold_usd: Usd;
  readonly cost_usd: Usd | null;
  readonly cancel_may_cost_usd: Usd;
  readonly video: TaskVideo | null;
  readonly error: Failure | null;
  readonly cancellation: { readonly outcome: string; readonly message: string } | null;
  readonly created_at: string;
  readonly accepted_at: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly expires_at: string;
}

export interface TaskVideo {
  readonly url: string;
  readonly last_frame_url: string | null;
  readonly expires_at: string;
  /** Null: only the vendor has it. */
  readonly file_id: string | null;
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

export const isRunning = ({ status }: Pick<Task, 'status'>): boolean => status === 'queued' || status === 'running';

/** One file of `GET /account/files`. */
export interface KeptFile {
  readonly id: string;
  readonly filename: string;
  readonly purpose: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly test: boolean;
  readonly content_url: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}

export const FILE_PURPOSES = [
  'generation',
  'batch',
  'batch_output',
  'user_data',
  'vision',
  'assistants',
  'fine-tune',
  'evals',
] as const;

export const BATCH_STATUSES = [
  'validating',
  'in_progress',
  'finalizing',
  'completed',
  'failed',
  'expired',
  'cancelled',
] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number] | 'cancelling';

interface OutcomeFile {
  readonly id: string;
  readonly url: string | null;
}

/** One batch of `GET /account/batches`. */
export interface Batch {
  readonly id: string;
  readonly format: string;
  readonly endpoint: string;
  readonly status: BatchStatus;
  readonly key_id: string;
  readonly test: boolean;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly expired: number;
  readonly cancelled: number;
  readonly cost_usd: Usd;
  readonly max_cost_usd: Usd | null;
  readonly waits_for: string | null;
  readonly errors: readonly { readonly code: string; readonly message: string; readonly line: number | null }[];
  readonly output_file: OutcomeFile | null;
  readonly error_file: OutcomeFile | null;
  readonly created_at: string;
  readonly window_ends_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export const isOpenBatch = ({ finished_at: finishedAt }: Pick<Batch, 'finished_at'>): boolean => finishedAt === null;

export const KEPT_STATUSES = ['queued', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
export type KeptStatus = (typeof KEPT_STATUSES)[number];

/** One request of `GET /account/kept-requests`. */
export interface KeptRequest {
  readonly id: string;
  readonly endpoint: string;
  readonly model: string;
  readonly key_id: string;
  readonly test: boolean;
  readonly status: KeptStatus;
  readonly cancel_requested: boolean;
  readonly hold_usd: Usd;
  readonly cost_usd: Usd | null;
  readonly cancel_may_cost_usd: Usd;
  readonly response: { readonly status: number; readonly content_type: string; readonly bytes: number } | null;
  readonly error: Failure | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly expires_at: string;
}

export const isOpenRequest = ({ status }: Pick<KeptRequest, 'status'>): boolean =>
  status === 'queued' || status === 'in_progress';
