import type { DurableRequest } from '@gateway/contracts';
import type { Database } from '../database.js';
import { type DurableRequestRow, readRow } from './durable-request-row.js';

/** The right of one run of one worker to change a request. `owner` is random: an older run never has it. */
export interface RequestClaim {
  readonly requestId: string;
  readonly owner: string;
}

export interface RenewedClaim {
  readonly requestId: string;
  readonly isCancelRequested: boolean;
}

/** The request is due when its worker has not renewed the claim by then. */
const FIRST_LEASE_SECONDS = 30;

export async function claimRequest(
  { prisma }: Database,
  requestId: string,
  { owner }: RequestClaim,
): Promise<DurableRequest | null> {
  const [row] = await prisma.$queryRaw<DurableRequestRow[]>`
    UPDATE durable_request SET status = 'in_progress', version = version + 1, owner = ${owner}, attempts = attempts + 1,
      started_at = coalesce(started_at, clock_timestamp()),
      due_at = clock_timestamp() + make_interval(secs => ${FIRST_LEASE_SECONDS}::float8)
    WHERE id = ${requestId} AND status = 'queued' AND cancel_requested_at IS NULL
    RETURNING *`;
  return row === undefined ? null : readRow(row);
}

export async function renewClaims(
  { prisma }: Database,
  claims: readonly RequestClaim[],
  leaseMs: number,
): Promise<readonly RenewedClaim[]> {
  const rows = await prisma.$queryRaw<{ id: string; is_cancelled: boolean }[]>`
    UPDATE durable_request AS request
    SET due_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}::float8)
    FROM unnest(${claims.map(({ requestId }) => requestId)}::text[], ${claims.map(({ owner }) => owner)}::text[])
      AS claim (id, owner)
    WHERE request.id = claim.id AND request.owner = claim.owner AND request.status = 'in_progress'
    RETURNING request.id, request.cancel_requested_at IS NOT NULL AS is_cancelled`;
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
