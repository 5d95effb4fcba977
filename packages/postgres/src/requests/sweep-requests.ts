import { bodyObject, responseObject, type Vendor } from '@gateway/contracts';
import type { Database } from '../database.js';
import { sql } from '../sql.js';
import { type DurableRequestRow, type OwnedRequest, REQUEST_COLUMNS, readRow } from './durable-request-row.js';

/** Requests that wait or run, and what is late. */
export interface RequestBacklog {
  readonly queued: number;
  readonly inProgress: number;
  /** Seconds since the oldest queued request was accepted; 0 if there is none. */
  readonly oldestQueuedSeconds: number;
  /** Ended ones whose settlement Redis has not confirmed. */
  readonly unsettled: number;
  /** Seconds since the first of them ended; 0 if there is none. */
  readonly oldestUnsettledSeconds: number;
}

/** The ticket says how long a request may take, by the clock of its edge. PostgreSQL decides when that time has passed. */
const IS_LATE = sql`created_at + make_interval(
  secs => ((ticket ->> 'deadlineMs')::float8 - (ticket ->> 'admittedAtMs')::float8) / 1000) < clock_timestamp()`;

/** Long beside one sweep, short beside the patience of a customer. */
const TAKEN_FOR_SECONDS = 20;

/**
 * A request whose worker is gone gets another owner, so that the old run changes nothing any more; so does one that has ended
 * and is not settled. A queued one only becomes due again later: its ticket may have been lost with the queue.
 * What no vendor is needed for is taken for any: what has a settlement, is cancelled, or is too late.
 * Workers of a former release settled first, and left no owner at the end: what they ended is settled. Others marked the row only.
 */
export async function takeDueRequests(
  { prisma }: Database,
  vendors: readonly Vendor[],
  limit: number,
): Promise<readonly OwnedRequest[]> {
  const rows = await prisma.$queryRaw<(DurableRequestRow & { readonly is_late: boolean | null })[]>`
    WITH settled_by_former_release AS (
      UPDATE durable_request SET settled_at = finished_at
      WHERE id IN (SELECT id FROM open_request) AND settled_at IS NULL AND finished_at IS NOT NULL AND owner IS NULL
    ), marked_by_former_release AS (
      DELETE FROM open_request USING (
        SELECT request.id FROM open_request JOIN durable_request AS request USING (id)
        WHERE request.settled_at IS NOT NULL FOR UPDATE OF request SKIP LOCKED) AS marked
      WHERE open_request.id = marked.id
    )
    UPDATE durable_request AS request SET
      due_at = clock_timestamp() + make_interval(secs => ${TAKEN_FOR_SECONDS}::float8),
      owner = CASE
        WHEN status <> 'queued' OR cancel_requested_at IS NOT NULL
          OR ${IS_LATE}
        THEN gen_random_uuid()::text END,
      status = CASE
        WHEN status = 'queued'
          AND (cancel_requested_at IS NOT NULL OR ${IS_LATE})
        THEN 'in_progress' ELSE status END
    WHERE id IN (
      SELECT id FROM open_request JOIN durable_request AS open USING (id)
      WHERE settled_at IS NULL AND (finished_at IS NULL OR owner IS NOT NULL) AND due_at < now()
        AND (vendor = ANY (${[...vendors]}::text[]) OR settlement IS NOT NULL OR cancel_requested_at IS NOT NULL
          OR ${IS_LATE})
      ORDER BY due_at LIMIT ${limit}::int FOR UPDATE OF open SKIP LOCKED)
    RETURNING ${REQUEST_COLUMNS}, ${IS_LATE} AS is_late`;
  return rows.map((row) => ({ request: readRow(row), owner: row.owner, isLate: row.is_late === true }));
}

/** A request whose time is over, or that was never added. */
export interface ExpiredRequest {
  readonly requestId: string;
  /** Keys of what it may have in the store. */
  readonly objects: readonly string[];
}

export async function expiredRequests({ prisma }: Database, limit: number): Promise<readonly ExpiredRequest[]> {
  const rows = await prisma.$queryRaw<ExpiredRow[]>`
    (SELECT id, body IS NULL AS has_body, response_body IS NOT NULL AS is_short, attempts
    FROM durable_request WHERE settled_at IS NOT NULL AND expires_at < now()
    ORDER BY expires_at LIMIT ${limit}::int)
    UNION ALL (SELECT id, true, true, 1 FROM pending_body WHERE due_at < now() LIMIT ${limit}::int)
    LIMIT ${limit}::int`;
  return rows.map((row) => ({
    requestId: row.id,
    objects: [...(row.has_body ? [bodyObject(row.id)] : []), ...responsesOf(row)],
  }));
}

interface ExpiredRow {
  readonly id: string;
  readonly has_body: boolean;
  /** The response is in the row. */
  readonly is_short: boolean;
  readonly attempts: number;
}

/** Each run may have left a response, also one that did not end the request. */
function responsesOf({ id, is_short, attempts }: ExpiredRow): readonly string[] {
  const runs = Array.from({ length: Math.max(attempts, 1) }, (_, index) => responseObject(id, index + 1));
  return is_short && attempts <= 1 ? [] : runs;
}

export const removeRequests = ({ prisma }: Database, ids: readonly string[]): Promise<number> => prisma.$executeRaw`
  WITH never_added AS (DELETE FROM pending_body WHERE id = ANY (${[...ids]}::text[]))
  DELETE FROM durable_request WHERE id = ANY (${[...ids]}::text[]) AND settled_at IS NOT NULL`;

interface BacklogRow {
  readonly queued: bigint;
  readonly in_progress: bigint;
  readonly oldest: number | null;
  readonly unsettled: bigint;
  readonly oldest_unsettled: number | null;
}

export async function readRequestBacklog({ prisma }: Database): Promise<RequestBacklog> {
  const [row] = await prisma.$queryRaw<BacklogRow[]>`
    SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
      count(*) FILTER (WHERE status = 'in_progress') AS in_progress,
      extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE status = 'queued'))::float8 AS oldest,
      count(*) FILTER (WHERE finished_at IS NOT NULL) AS unsettled,
      extract(epoch FROM clock_timestamp() - min(finished_at))::float8 AS oldest_unsettled
    FROM open_request JOIN durable_request USING (id) WHERE settled_at IS NULL`;
  return {
    queued: Number(row?.queued ?? 0n),
    inProgress: Number(row?.in_progress ?? 0n),
    oldestQueuedSeconds: row?.oldest ?? 0,
    unsettled: Number(row?.unsettled ?? 0n),
    oldestUnsettledSeconds: row?.oldest_unsettled ?? 0,
  };
}
