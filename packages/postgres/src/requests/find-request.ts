import { type DurableRequest, type RequestId, responseIdOf, type SyncTicket, type Vendor } from '@gateway/contracts';
import type { Database } from '../database.js';
import { deletePendingResponse } from '../response-state/pending-response.js';
import { type FinishedResponse, recordResponse } from '../response-state/record-response.js';
import { toStorableJson } from '../storable-json.js';
import { type DurableRequestRow, readRow } from './durable-request-row.js';

export interface NewDurableRequest {
  readonly ticket: SyncTicket;
  readonly vendor: Vendor;
  readonly webhookUrl: string | null;
  readonly createdAtMs: number;
  /** When its ticket is queued again if no worker has claimed it. */
  readonly dueInMs: number;
  /** How long it is kept after its deadline; undefined: as its account says. */
  readonly retentionMs: number | undefined;
  /** For an account that says nothing. */
  readonly defaultRetentionMs: number;
  readonly deadlineMs: number;
  /** Of its body. */
  readonly bytes: number;
  /** What its account may keep. */
  readonly limitBytes: number;
  /** The queued response of a request in the background: stored with it, or not at all. */
  readonly queuedResponse?: FinishedResponse | undefined;
}

/** The account that reads. A key of one mode does not see the requests of the other mode. */
export interface RequestAccess {
  readonly accountId: string;
  readonly isTest: boolean;
}

/** Returns the request as it is stored. Null: its account keeps as much as it may. Parallel requests may exceed the limit by their own bytes. */
export async function addRequest(database: Database, request: NewDurableRequest): Promise<DurableRequest | null> {
  const { queuedResponse } = request;
  const added = insertRequest(database, request);
  if (queuedResponse === undefined) return readOne(await added);
  const { requestId } = request.ticket;
  const [rows] = await database.prisma.$transaction([added, recordResponse(database, queuedResponse, { requestId })]);
  return readOne(rows);
}

const readOne = ([row]: readonly DurableRequestRow[]): DurableRequest | null =>
  row === undefined ? null : readRow(row);

function insertRequest({ prisma }: Database, request: NewDurableRequest) {
  const { ticket, vendor, webhookUrl, retentionMs } = request;
  const ownSeconds = retentionMs === undefined ? null : retentionMs / 1_000;
  return prisma.$queryRaw<DurableRequestRow[]>`
    INSERT INTO durable_request
      (id, account_id, is_test, endpoint, model, vendor, ticket, webhook_url, due_at, created_at, bytes, expires_at)
    SELECT ${ticket.requestId}, ${ticket.accountId}, ${ticket.isTest === true}, ${ticket.endpoint}, ${ticket.model},
      ${vendor}, ${toStorableJson(ticket)}::jsonb, ${webhookUrl},
      clock_timestamp() + make_interval(secs => ${request.dueInMs / 1_000}::float8),
      ${new Date(request.createdAtMs)}, ${request.bytes}::bigint,
      ${new Date(request.deadlineMs)}::timestamptz + coalesce(
        make_interval(secs => ${ownSeconds}::float8), make_interval(hours => result_retention_hours),
        make_interval(secs => ${request.defaultRetentionMs / 1_000}::float8))
    FROM account LEFT JOIN store_use ON store_use.account_id = account.id
    WHERE account.id = ${ticket.accountId}
      AND coalesce(store_use.bytes + request_bytes + response_bytes, 0) + ${request.bytes}::bigint
        <= ${request.limitBytes}::bigint
    RETURNING *`;
}

export async function deleteRequest(database: Database, requestId: string): Promise<void> {
  const { prisma } = database;
  await prisma.$transaction([
    prisma.$executeRaw`DELETE FROM durable_request WHERE id = ${requestId} AND status = 'queued'`,
    deletePendingResponse(database, responseIdOf(requestId as RequestId)),
  ]);
}

export async function findRequest(
  { prisma }: Database,
  { accountId, isTest }: RequestAccess,
  id: string,
): Promise<DurableRequest | null> {
  const [row] = await prisma.$queryRaw<DurableRequestRow[]>`
    SELECT * FROM durable_request WHERE id = ${id} AND account_id = ${accountId} AND is_test = ${isTest}
      AND (finished_at IS NULL OR expires_at > clock_timestamp())`;
  return row === undefined ? null : readRow(row);
}

/** A queued request is due at once: the next sweep ends it. A running one learns it with the renewal of its claim. */
export async function requestCancellation(
  database: Database,
  access: RequestAccess,
  id: string,
): Promise<DurableRequest | null> {
  const [row] = await database.prisma.$queryRaw<DurableRequestRow[]>`
    UPDATE durable_request SET
      cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
      due_at = CASE status WHEN 'queued' THEN clock_timestamp() ELSE due_at END
    WHERE id = ${id} AND account_id = ${access.accountId} AND is_test = ${access.isTest} AND finished_at IS NULL
    RETURNING *`;
  return row === undefined ? findRequest(database, access, id) : readRow(row);
}

/** Hides an ended request at once; a sweep deletes its body, its response and its row. False: this account has none that has ended. */
export async function deleteEndedRequest(
  { prisma }: Database,
  { accountId, isTest }: RequestAccess,
  id: string,
): Promise<boolean> {
  // The column has milliseconds: a time that is rounded up would show the request for another moment.
  const hidden = await prisma.$executeRaw`
    UPDATE durable_request SET expires_at = date_trunc('milliseconds', clock_timestamp()) - interval '1 millisecond'
    WHERE id = ${id} AND account_id = ${accountId} AND is_test = ${isTest} AND finished_at IS NOT NULL
      AND expires_at > clock_timestamp()`;
  return hidden === 1;
}
