import type { Batch, BatchFormat, BatchSegment, BatchStatus } from '@gateway/contracts';
import type { Database } from '../database.js';
import { ofKeysWith } from '../keys/of-keys-with.js';
import { NOTHING, type Sql, sql } from '../sql.js';
import { toStorableJson } from '../storable-json.js';
import { type BatchRow, readBatch } from './batch-row.js';

/** The batches that a reader sees: those of the account in one mode. A key reads one format at a time. */
export interface BatchAccess {
  readonly accountId: string;
  readonly isTest: boolean;
  /** Undefined: both formats. */
  readonly format?: BatchFormat | undefined;
  /** Undefined: batches of every endpoint. */
  readonly endpoints?: readonly Batch['endpoint'][] | undefined;
  /** Batches of keys that are limited to models among these, since each line names its own. Undefined: batches of every key. */
  readonly models?: readonly string[] | undefined;
}

export interface NewBatch
  extends Pick<
    Batch,
    | 'id'
    | 'accountId'
    | 'isTest'
    | 'keyId'
    | 'format'
    | 'endpoint'
    | 'inputObject'
    | 'inputFileId'
    | 'metadata'
    | 'budgetNanoUsd'
    | 'outputSeconds'
  > {
  /** How long its lines may begin. */
  readonly windowMs: number;
  /** Lines that are checked already; undefined: the worker checks and counts them. */
  readonly total: number | undefined;
}

/** `before`, `after`: ids of batches; the newest is first. */
export interface BatchPage {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** Undefined: every status. */
  readonly status?: BatchStatus | undefined;
}

/** Batches of one account that have not ended. */
const MAX_OPEN = 200;

/** Null: the account has too many batches that have not ended, or one of this id. */
export async function addBatch({ prisma }: Database, batch: NewBatch): Promise<Batch | null> {
  const isChecked = batch.total !== undefined;
  const [row] = await prisma.$queryRaw<BatchRow[]>`
    WITH added AS (INSERT INTO batch (id, account_id, is_test, key_id, format, endpoint, status, input_object, input_file_id, metadata,
      budget_nano_usd, output_seconds, total, window_ends_at, started_at)
    SELECT ${batch.id}, ${batch.accountId}, ${batch.isTest}, ${batch.keyId}, ${batch.format}, ${batch.endpoint},
      ${isChecked ? 'in_progress' : 'validating'}, ${batch.inputObject}, ${batch.inputFileId},
      ${toStorableJson(batch.metadata)}::jsonb, ${batch.budgetNanoUsd}, ${batch.outputSeconds}::int,
      ${batch.total ?? 0}::int, clock_timestamp() + make_interval(secs => ${batch.windowMs / 1_000}::float8),
      CASE WHEN ${isChecked} THEN clock_timestamp() END
    WHERE (SELECT count(*) FROM batch WHERE account_id = ${batch.accountId} AND finished_at IS NULL) < ${MAX_OPEN}::int
    ON CONFLICT (id) DO NOTHING
    RETURNING *
    ), named AS (DELETE FROM pending_object USING added WHERE key = input_object)
    SELECT * FROM added`;
  return row === undefined ? null : readBatch(row);
}

const ownedBy = ({ accountId, isTest, format, endpoints, models }: BatchAccess): Sql =>
  sql`account_id = ${accountId} AND is_test = ${isTest} ${format === undefined ? NOTHING : sql`AND format = ${format}`}
    ${endpoints === undefined ? NOTHING : sql`AND endpoint = ANY (${[...endpoints]}::text[])`}
    ${models === undefined ? NOTHING : sql`AND ${ofKeysWith(accountId, { models, endpoints: null })}`}`;

const seenBy = (access: BatchAccess): Sql => sql`${ownedBy(access)} AND deleted_at IS NULL`;

export async function findBatch({ prisma }: Database, access: BatchAccess, id: string): Promise<Batch | null> {
  const [row] = await prisma.$queryRaw<BatchRow[]>`SELECT * FROM batch WHERE id = ${id} AND ${seenBy(access)}`;
  return row === undefined ? null : readBatch(row);
}

/** True also for a deleted batch, because a page may begin after one. */
export async function isBatchCursor({ prisma }: Database, access: BatchAccess, id: string): Promise<boolean> {
  return (await prisma.$queryRaw<object[]>`SELECT 1 FROM batch WHERE id = ${id} AND ${ownedBy(access)}`).length > 0;
}

/** The newest first. A cursor of another account gives an empty page, a deleted batch the page beyond it. */
export async function listBatches(
  { prisma }: Database,
  access: BatchAccess,
  { limit, after, before, status }: BatchPage,
): Promise<readonly Batch[]> {
  const isBackwards = before !== undefined;
  const cursor = before ?? after;
  const place = sql`(SELECT created_at, id FROM batch WHERE id = ${cursor ?? ''} AND ${ownedBy(access)})`;
  const beyond = isBackwards ? sql`(created_at, id) > ${place}` : sql`(created_at, id) < ${place}`;
  const order = isBackwards ? sql`created_at, id` : sql`created_at DESC, id DESC`;
  const rows = await prisma.$queryRaw<BatchRow[]>`
    SELECT * FROM batch WHERE ${seenBy(access)} AND ${cursor === undefined ? sql`true` : beyond}
      ${status === undefined ? NOTHING : sql`AND status = ${status}`}
    ORDER BY ${order} LIMIT ${limit}::int`;
  return (isBackwards ? rows.reverse() : rows).map(readBatch);
}

/** Records the request to cancel, and returns the batch as it is then. One that has ended does not change. */
export async function cancelBatch(database: Database, access: BatchAccess, id: string): Promise<Batch | null> {
  const [row] = await database.prisma.$queryRaw<BatchRow[]>`
    UPDATE batch SET cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
      due_at = CASE WHEN owner IS NULL THEN clock_timestamp() ELSE due_at END
    WHERE id = ${id} AND ${seenBy(access)} AND finished_at IS NULL
    RETURNING *`;
  return row === undefined ? findBatch(database, access, id) : readBatch(row);
}

/** Hides an ended batch. The sweep removes its results. False: it has not ended. */
export async function deleteBatch({ prisma }: Database, access: BatchAccess, id: string): Promise<boolean> {
  const deleted = await prisma.$executeRaw`
    UPDATE batch SET deleted_at = clock_timestamp() WHERE id = ${id} AND ${seenBy(access)} AND finished_at IS NOT NULL`;
  return deleted === 1;
}

interface SegmentRow {
  readonly number: number;
  readonly is_error: boolean;
  readonly object: string;
  readonly bytes: bigint;
}

export async function listSegments({ prisma }: Database, batchId: string): Promise<readonly BatchSegment[]> {
  const rows = await prisma.$queryRaw<SegmentRow[]>`
    SELECT number, is_error, object, bytes FROM batch_segment WHERE batch_id = ${batchId} ORDER BY number`;
  return rows.map(({ is_error: isError, bytes, ...segment }) => ({ ...segment, isError, bytes: Number(bytes) }));
}
