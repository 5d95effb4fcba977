import type { Usd } from '../format/money.js';
import type { Documented } from './documented.js';

export const TASK_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** One video task of `GET /account/tasks`. */
export type Task = Documented['AccountTask'];

export const isRunning = ({ status }: Pick<Task, 'status'>): boolean => status === 'queued' || status === 'running';

/** One file of `GET /account/files`. */
export type KeptFile = Documented['AccountFile'];

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
export type KeptRequest = Documented['KeptRequest'];

export const isOpenRequest = ({ status }: Pick<KeptRequest, 'status'>): boolean =>
  status === 'queued' || status === 'in_progress';
