import type { Batch, BatchError, BatchFormat, BatchStatus, Endpoint } from '@gateway/contracts';

/** A row of `batch`, as a raw query returns it. */
export interface BatchRow {
  readonly id: string;
  readonly account_id: string;
  readonly is_test: boolean;
  readonly key_id: string;
  readonly format: string;
  readonly endpoint: string;
  readonly status: string;
  readonly input_object: string;
  readonly input_file_id: string | null;
  readonly metadata: unknown;
  readonly budget_nano_usd: bigint | null;
  readonly cost_nano_usd: bigint;
  readonly output_seconds: number;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly expired: number;
  readonly cancelled: number;
  readonly errors: unknown;
  readonly waits_for: string | null;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  readonly created_at: Date;
  readonly window_ends_at: Date;
  readonly started_at: Date | null;
  readonly cancel_requested_at: Date | null;
  readonly finalizing_at: Date | null;
  readonly finished_at: Date | null;
  readonly results_removed_at: Date | null;
}

const timeOf = (date: Date | null): number | null => date?.getTime() ?? null;

/** Only this package writes the table, so its JSON is trusted. */
export function readBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    accountId: row.account_id,
    isTest: row.is_test,
    keyId: row.key_id,
    format: row.format as BatchFormat,
    endpoint: row.endpoint as Endpoint,
    status: row.status as BatchStatus,
    inputObject: row.input_object,
    inputFileId: row.input_file_id,
    metadata: row.metadata as Batch['metadata'],
    budgetNanoUsd: row.budget_nano_usd,
    costNanoUsd: row.cost_nano_usd,
    outputSeconds: row.output_seconds,
    total: row.total,
    counts: { completed: row.completed, failed: row.failed, expired: row.expired, cancelled: row.cancelled },
    errors: row.errors as readonly BatchError[] | null,
    waitsFor: row.waits_for,
    outputFileId: row.output_file_id,
    errorFileId: row.error_file_id,
    createdAtMs: row.created_at.getTime(),
    windowEndsAtMs: row.window_ends_at.getTime(),
    startedAtMs: timeOf(row.started_at),
    cancelRequestedAtMs: timeOf(row.cancel_requested_at),
    finalizingAtMs: timeOf(row.finalizing_at),
    finishedAtMs: timeOf(row.finished_at),
    resultsRemovedAtMs: timeOf(row.results_removed_at),
  };
}
