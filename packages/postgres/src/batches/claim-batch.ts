import type { Batch } from '@gateway/contracts';
import type { Database } from '../database.js';
import { type BatchRow, readBatch } from './batch-row.js';

/** The right of one worker to run a batch. `owner` is random: an older run never has it. */
export interface BatchClaim {
  readonly batchId: string;
  readonly owner: string;
}

/** A batch as its worker reads it. */
export interface RunningBatch extends Batch {
  /** Its window has ended, by the clock of PostgreSQL. */
  readonly isWindowOver: boolean;
}

export interface ClaimedBatch {
  readonly batch: RunningBatch;
  readonly claim: BatchClaim;
  /** Of the key that created it: revoked or not, the edge decides. */
  readonly keySha256: string;
}

interface RunningRow extends BatchRow {
  readonly is_window_over: boolean;
}

const readRunning = (row: RunningRow): RunningBatch => ({ ...readBatch(row), isWindowOver: row.is_window_over });

/** One account's batches that run at the same time. The others wait, so that they occupy no worker. */
const RUNNING_PER_ACCOUNT = 4;

/** Takes the next batch that no worker runs: of the account with the fewest running ones, the oldest. Null: there is none. */
export async function claimBatch({ prisma }: Database, owner: string, leaseMs: number): Promise<ClaimedBatch | null> {
  const [row] = await prisma.$queryRaw<(RunningRow & { key_sha256: string })[]>`
    WITH running AS (
      SELECT account_id, count(*) AS count FROM batch
      WHERE finished_at IS NULL AND owner IS NOT NULL AND due_at >= clock_timestamp() GROUP BY account_id
    ), next AS (
      SELECT batch.id FROM batch LEFT JOIN running USING (account_id)
      WHERE finished_at IS NULL AND due_at < clock_timestamp() AND coalesce(running.count, 0) < ${RUNNING_PER_ACCOUNT}::int
      ORDER BY coalesce(running.count, 0), batch.created_at LIMIT 1 FOR UPDATE OF batch SKIP LOCKED
    )
    UPDATE batch SET owner = ${owner}, due_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}::float8)
    FROM next JOIN batch AS found USING (id) JOIN api_key ON api_key.id = found.key_id
    WHERE batch.id = next.id
    RETURNING batch.*, batch.window_ends_at <= clock_timestamp() AS is_window_over, api_key.sha256 AS key_sha256`;
  if (row === undefined) return null;
  return { batch: readRunning(row), claim: { batchId: row.id, owner }, keySha256: row.key_sha256 };
}

/** Returns the batch as it is; null: the claim does not hold any more. */
export async function renewBatch(
  { prisma }: Database,
  { batchId, owner }: BatchClaim,
  leaseMs: number,
): Promise<RunningBatch | null> {
  const [row] = await prisma.$queryRaw<RunningRow[]>`
    UPDATE batch SET due_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}::float8)
    WHERE id = ${batchId} AND owner = ${owner} AND finished_at IS NULL
    RETURNING *, window_ends_at <= clock_timestamp() AS is_window_over`;
  return row === undefined ? null : readRunning(row);
}

/** Gives a batch back. `waitsFor`: why it is not due before `dueInMs`. */
export async function returnBatch(
  { prisma }: Database,
  { batchId, owner }: BatchClaim,
  { dueInMs, waitsFor }: { readonly dueInMs: number; readonly waitsFor: string | null },
): Promise<boolean> {
  const returned = await prisma.$executeRaw`
    UPDATE batch SET owner = NULL, waits_for = ${waitsFor},
      due_at = clock_timestamp() + make_interval(secs => ${dueInMs / 1_000}::float8)
    WHERE id = ${batchId} AND owner = ${owner} AND finished_at IS NULL`;
  return returned === 1;
}
