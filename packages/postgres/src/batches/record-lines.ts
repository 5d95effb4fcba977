import type { BatchSegment, LineCounts } from '@gateway/contracts';
import type { Database } from '../database.js';
import type { BatchClaim } from './claim-batch.js';

/** A segment with the numbers of its lines in the input. */
export interface NewSegment extends BatchSegment {
  readonly lines: readonly number[];
}

export interface RecordedLines {
  readonly segments: readonly NewSegment[];
  readonly counts: LineCounts;
  readonly costNanoUsd: bigint;
}

/** Which lines have ended, and the number of the next segment. */
export interface BatchProgress {
  readonly lines: readonly number[];
  readonly nextSegment: number;
  /** Lines up to this one may have begun. */
  readonly begunThrough: number;
}

export async function readProgress({ prisma }: Database, batchId: string): Promise<BatchProgress> {
  const rows = await prisma.$queryRaw<{ begun: number; number: number | null; lines: number[] | null }[]>`
    SELECT begun_through AS begun, number, lines FROM batch LEFT JOIN batch_segment ON batch_id = id
    WHERE id = ${batchId}`;
  return {
    lines: rows.flatMap(({ lines }) => lines ?? []),
    nextSegment: rows.reduce((next, { number }) => Math.max(next, (number ?? -1) + 1), 0),
    begunThrough: rows[0]?.begun ?? 0,
  };
}

/** Lines up to this one may begin from now on. False: the claim does not hold any more. */
export async function beginLines(
  { prisma }: Database,
  { batchId, owner }: BatchClaim,
  through: number,
): Promise<boolean> {
  const begun = await prisma.$executeRaw`
    UPDATE batch SET begun_through = greatest(begun_through, ${through}::int)
    WHERE id = ${batchId} AND owner = ${owner} AND finished_at IS NULL`;
  return begun === 1;
}

/**
 * Records ended lines once: a repeated call changes nothing. False: the claim does not hold any more. Throws if a sweep deletes an
 * object that the lines name.
 */
export async function recordLines(
  { prisma }: Database,
  { batchId, owner }: BatchClaim,
  { segments, counts, costNanoUsd }: RecordedLines,
): Promise<boolean> {
  const json = JSON.stringify(segments);
  const objects = segments.map(({ object }) => object);
  const numbers = segments.map(({ number }) => number);
  const [row] = await prisma.$queryRaw<[{ is_held: boolean; is_recorded: boolean }]>`
    WITH held AS (
      SELECT id FROM batch WHERE id = ${batchId} AND owner = ${owner} AND finished_at IS NULL FOR UPDATE
    ), pending AS (
      SELECT key FROM pending_object WHERE key = ANY (${objects}::text[]) AND NOT is_taken FOR UPDATE
    ), added AS (
      INSERT INTO batch_segment (batch_id, number, is_error, object, bytes, lines)
      SELECT held.id, segment.number, segment."isError", segment.object, segment.bytes, segment.lines
        FROM held, jsonb_to_recordset(${json}::jsonb)
          AS segment (number int, "isError" boolean, object text, bytes bigint, lines int[])
      WHERE (SELECT count(*) FROM pending) = ${objects.length}::int
      ON CONFLICT (batch_id, number) DO NOTHING
      RETURNING object
    ), named AS (
      DELETE FROM pending_object USING added WHERE key = object
    ), counted AS (
      UPDATE batch SET completed = completed + ${counts.completed}::int, failed = failed + ${counts.failed}::int,
        expired = expired + ${counts.expired}::int, cancelled = cancelled + ${counts.cancelled}::int,
        cost_nano_usd = cost_nano_usd + ${costNanoUsd}, waits_for = NULL
      FROM held WHERE batch.id = held.id AND EXISTS (SELECT FROM added)
    )
    SELECT EXISTS (SELECT FROM held) AS is_held, EXISTS (SELECT FROM added) OR EXISTS (
      SELECT FROM batch_segment WHERE batch_id = ${batchId} AND number = ANY (${numbers}::int[])) AS is_recorded`;
  if (row.is_held && !row.is_recorded) throw new Error('segments were not announced, or a sweep deletes them');
  return row.is_held;
}
