import type { DurableRequest, SyncTicket } from '@gateway/contracts';
import type { Database } from '../database.js';
import { sql } from '../sql.js';
import { bufferOf, type DurableRequestRow, readRow, STATE_COLUMNS } from './durable-request-row.js';

/** The right of one run of one worker to change a request. `owner` is random: an older run never has it. */
export interface RequestClaim {
  readonly requestId: string;
  readonly owner: string;
}

/** A claim of a request that waits. */
export interface NewClaim extends RequestClaim {
  readonly ticket: SyncTicket;
}

export interface ClaimedRow {
  readonly request: DurableRequest;
  /** Null: it is an object of the store. */
  readonly body: Buffer | null;
  /** Since it was accepted, by the clock of PostgreSQL. */
  readonly ageMs: number;
}

export interface RenewedClaim {
  readonly requestId: string;
  readonly isCancelRequested: boolean;
}

const idsOf = (claims: readonly RequestClaim[]): string[] => claims.map(({ requestId }) => requestId);
const ownersOf = (claims: readonly RequestClaim[]): string[] => claims.map(({ owner }) => owner);

/** The request is due when its worker has not renewed the claim by then. */
const FIRST_LEASE_SECONDS = 30;

interface ClaimedColumns extends Omit<DurableRequestRow, 'ticket'> {
  readonly body: Buffer | null;
  readonly age_ms: number;
}

/** In the order of the claims. Null: another claim has the request, its customer has cancelled it, or it has ended. */
export async function claimRequests(
  { pool }: Pick<Database, 'pool'>,
  claims: readonly NewClaim[],
): Promise<readonly (ClaimedRow | null)[]> {
  const { rows } = await pool.query<ClaimedColumns>(sql`
    SELECT ${STATE_COLUMNS}, body, extract(epoch FROM clock_timestamp() - created_at)::float8 * 1000 AS age_ms
    FROM claim_durable_requests(${idsOf(claims)}::text[], ${ownersOf(claims)}::text[], ${FIRST_LEASE_SECONDS}::float8) AS request`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return claims.map(({ requestId, owner, ticket }) => {
    const row = byId.get(requestId);
    if (row?.owner !== owner) return null;
    return { request: readRow({ ...row, ticket }), body: row.body && bufferOf(row.body), ageMs: row.age_ms };
  });
}

export async function renewClaims(
  { prisma }: Database,
  claims: readonly RequestClaim[],
  leaseMs: number,
): Promise<readonly RenewedClaim[]> {
  const rows = await prisma.$queryRaw<{ id: string; is_cancelled: boolean }[]>`
    WITH claim AS (
      SELECT request.id FROM unnest(${idsOf(claims)}::text[], ${ownersOf(claims)}::text[]) AS given (id, owner)
      JOIN durable_request AS request ON request.id = given.id AND request.owner = given.owner
      WHERE request.settled_at IS NULL
      ORDER BY request.account_id, request.id FOR UPDATE OF request
    )
    UPDATE durable_request AS request
    SET due_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}::float8)
    FROM claim WHERE request.id = claim.id
    RETURNING request.id, request.cancel_requested_at IS NOT NULL AND finished_at IS NULL AS is_cancelled`;
  return rows.map(({ id, is_cancelled }) => ({ requestId: id, isCancelRequested: is_cancelled }));
}

export async function returnRequest(
  { prisma }: Database,
  { requestId, owner }: RequestClaim,
  dueInMs: number,
): Promise<boolean> {
  const returned = await prisma.$executeRaw`
    UPDATE durable_request SET status = 'queued', version = version + 1, owner = NULL,
      due_at = clock_timestamp() + make_interval(secs => ${dueInMs / 1_000}::float8)
    WHERE id = ${requestId} AND owner = ${owner} AND status = 'in_progress' AND settlement IS NULL`;
  return returned === 1;
}
