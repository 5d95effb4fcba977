import type { BatchFormat } from '@gateway/contracts';
import type { Database } from '../database.js';

/** Batches that wait or run, and what is late. */
export interface BatchBacklog {
  readonly waiting: number;
  readonly running: number;
  /** Batches whose lines wait for credit. */
  readonly waitingForCredit: number;
  /** Seconds since the longest-waiting batch was due and no worker took it; 0 if none waits. */
  readonly oldestDueSeconds: number;
  /** Batches in the last quarter of their window. */
  readonly late: number;
}

/** An ended batch whose results are to be removed. */
export interface ExpiredBatch {
  readonly id: string;
  readonly format: BatchFormat;
  readonly isDeleted: boolean;
  /** The store's keys of its results, and of its own input. */
  readonly objects: readonly string[];
}

interface ExpiredRow {
  readonly id: string;
  readonly format: string;
  readonly is_deleted: boolean;
  readonly input_object: string | null;
  readonly objects: readonly string[];
}

/** Ended batches whose results have a file of their own, were deleted, or are older than `output_seconds`. */
export async function expiredBatches({ prisma }: Database, limit: number): Promise<readonly ExpiredBatch[]> {
  const rows = await prisma.$queryRaw<ExpiredRow[]>`
    SELECT id, format, deleted_at IS NOT NULL AS is_deleted,
      CASE WHEN input_file_id IS NULL THEN input_object END AS input_object,
      ARRAY(SELECT object FROM batch_segment WHERE batch_id = batch.id) AS objects
    FROM batch
    WHERE finished_at IS NOT NULL AND results_removed_at IS NULL AND (format = 'openai' OR deleted_at IS NOT NULL
      OR finished_at + make_interval(secs => output_seconds) < clock_timestamp())
    ORDER BY finished_at LIMIT ${limit}::int`;
  return rows.map(({ id, format, is_deleted: isDeleted, input_object: input, objects }) => ({
    id,
    format: format as BatchFormat,
    isDeleted,
    objects: input === null ? objects : [...objects, input],
  }));
}

/** Their objects are gone. */
export async function removeResults({ prisma }: Database, ids: readonly string[]): Promise<void> {
  await prisma.$transaction([
    prisma.$executeRaw`DELETE FROM batch_segment WHERE batch_id = ANY (${[...ids]}::text[])`,
    prisma.$executeRaw`UPDATE batch SET results_removed_at = clock_timestamp() WHERE id = ANY (${[...ids]}::text[])`,
  ]);
}

export async function readBatchBacklog({ prisma }: Database): Promise<BatchBacklog> {
  const [row] = await prisma.$queryRaw<
    { waiting: bigint; running: bigint; credit: bigint; late: bigint; oldest: number | null }[]
  >`
    SELECT count(*) FILTER (WHERE owner IS NULL OR due_at < clock_timestamp()) AS waiting,
      count(*) FILTER (WHERE owner IS NOT NULL AND due_at >= clock_timestamp()) AS running,
      count(*) FILTER (WHERE waits_for IS NOT NULL) AS credit,
      count(*) FILTER (WHERE waits_for IS NULL
        AND clock_timestamp() > created_at + (window_ends_at - created_at) * 0.75) AS late,
      extract(epoch FROM clock_timestamp() - min(due_at) FILTER (WHERE due_at < clock_timestamp()))::float8 AS oldest
    FROM batch WHERE finished_at IS NULL`;
  return {
    waiting: Number(row?.waiting ?? 0n),
    running: Number(row?.running ?? 0n),
    waitingForCredit: Number(row?.credit ?? 0n),
    oldestDueSeconds: row?.oldest ?? 0,
    late: Number(row?.late ?? 0n),
  };
}
