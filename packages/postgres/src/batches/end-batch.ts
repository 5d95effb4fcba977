import type { BatchError, FinalBatchStatus } from '@gateway/contracts';
import type { Database } from '../database.js';
import { toStorableJson } from '../storable-json.js';
import type { BatchClaim } from './claim-batch.js';

/** How a batch ends. */
export interface BatchEnd {
  readonly status: FinalBatchStatus;
  readonly errors: readonly BatchError[] | null;
  readonly outputFileId: string | null;
  readonly errorFileId: string | null;
  readonly finishedAtMs: number;
  /** The batch as its customer then sees it: the data of its event. */
  readonly record: object;
}

/** The lines are checked, and begin. */
export async function beginBatch(
  { prisma }: Database,
  { batchId, owner }: BatchClaim,
  total: number,
): Promise<boolean> {
  const begun = await prisma.$executeRaw`
    UPDATE batch SET status = 'in_progress', total = ${total}::int, started_at = clock_timestamp()
    WHERE id = ${batchId} AND owner = ${owner} AND status = 'validating'`;
  return begun === 1;
}

/** Why the batch will fail, before its remaining lines end: another worker then knows it, too. May be repeated. */
export async function recordErrors(
  { prisma }: Database,
  { batchId, owner }: BatchClaim,
  errors: readonly BatchError[],
): Promise<boolean> {
  const changed = await prisma.$executeRaw`
    UPDATE batch SET errors = ${toStorableJson(errors)}::jsonb
    WHERE id = ${batchId} AND owner = ${owner} AND finished_at IS NULL`;
  return changed === 1;
}

/** All lines have ended, and their results are put together. May be repeated. */
export async function finalizeBatch({ prisma }: Database, { batchId, owner }: BatchClaim): Promise<boolean> {
  const changed = await prisma.$executeRaw`
    UPDATE batch SET status = 'finalizing', waits_for = NULL, finalizing_at = coalesce(finalizing_at, clock_timestamp())
    WHERE id = ${batchId} AND owner = ${owner} AND status IN ('in_progress', 'finalizing')`;
  return changed === 1;
}

/** The end and its event commit together. False: the claim does not hold any more. */
export async function finishBatch(
  { prisma }: Database,
  { batchId, owner }: BatchClaim,
  { status, errors, outputFileId, errorFileId, finishedAtMs, record }: BatchEnd,
): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>`
    WITH finished AS (
      UPDATE batch SET status = ${status}, owner = NULL, waits_for = NULL, finished_at = ${new Date(finishedAtMs)},
        errors = ${errors === null ? null : toStorableJson(errors)}::jsonb,
        output_file_id = ${outputFileId}, error_file_id = ${errorFileId}, deleted_at = kept_until(account_id, deleted_at)
      WHERE id = ${batchId} AND owner = ${owner} AND finished_at IS NULL
      RETURNING id, account_id, is_test
    )
    SELECT emit_event(account_id, ${`batch.${status}`}, id, ${toStorableJson(record)}::jsonb, NULL, is_test)
    FROM finished`;
  return rows.length === 1;
}
