import type { Endpoint } from '../api/endpoints.js';

/** The format of a batch: of its requests, its record and its results. */
export type BatchFormat = 'openai' | 'anthropic';

export const BATCH_STATUSES = [
  'validating',
  'in_progress',
  'finalizing',
  'completed',
  'failed',
  'expired',
  'cancelled',
] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];
export type FinalBatchStatus = Exclude<BatchStatus, 'validating' | 'in_progress' | 'finalizing'>;

/** How a line of a batch ends. */
export const LINE_OUTCOMES = ['completed', 'failed', 'expired', 'cancelled'] as const;
export type LineOutcome = (typeof LINE_OUTCOMES)[number];
export type LineCounts = Readonly<Record<LineOutcome, number>>;

/** Why a batch has failed: of the whole input, or of a line. */
export interface BatchError {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  /** From 1. */
  readonly line: number | null;
}

/** Requests that an account has handed over together. Amounts in nano-USD, times in Unix milliseconds. */
export interface Batch {
  readonly id: string;
  readonly accountId: string;
  readonly isTest: boolean;
  /** Each line is a request of this key. */
  readonly keyId: string;
  readonly format: BatchFormat;
  readonly endpoint: Endpoint;
  readonly status: BatchStatus;
  /** The store's key of its lines. */
  readonly inputObject: string;
  readonly inputFileId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The most that its lines may cost; null: what the account and the key may spend. */
  readonly budgetNanoUsd: bigint | null;
  readonly costNanoUsd: bigint;
  /** How long its results are kept after its end. */
  readonly outputSeconds: number;
  readonly total: number;
  readonly counts: LineCounts;
  readonly errors: readonly BatchError[] | null;
  /** What its next line waits for: `credit`. Null: nothing. */
  readonly waitsFor: string | null;
  readonly outputFileId: string | null;
  readonly errorFileId: string | null;
  readonly createdAtMs: number;
  /** Lines that have not begun by then expire. */
  readonly windowEndsAtMs: number;
  readonly startedAtMs: number | null;
  readonly cancelRequestedAtMs: number | null;
  readonly finalizingAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly resultsRemovedAtMs: number | null;
}

/** Results of ended lines: an object of the store. */
export interface BatchSegment {
  readonly number: number;
  /** It belongs to the file of errors. */
  readonly isError: boolean;
  readonly object: string;
  readonly bytes: number;
}
