import {
  bodyObject,
  type DurableRequest,
  type Endpoint,
  type RequestId,
  STATE_FORMS,
  type SyncTicket,
  type Vendor,
} from '@gateway/contracts';
import type { Database } from '../database.js';
import { announceObjects } from '../objects/pending-objects.js';
import { deletePendingResponses } from '../response-state/pending-response.js';
import { type FinishedResponse, recordResponse } from '../response-state/record-response.js';
import { sql } from '../sql.js';
import { toStorableJson } from '../storable-json.js';
import { type DurableRequestRow, REQUEST_COLUMNS, readRow } from './durable-request-row.js';

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
  /** Undefined: its body is an object of the store. */
  readonly shortBody: Buffer | undefined;
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

/** Comes before a body in the store, so that it is found if its request is never added. */
export async function announceBodies(
  database: Pick<Database, 'pool'>,
  requestIds: readonly string[],
): Promise<readonly undefined[]> {
  await announceObjects(
    database,
    requestIds.map((id) => bodyObject(id)),
  );
  return requestIds.map(() => undefined);
}

/**
 * In the order of the requests, each as it is stored. Null: its account keeps as much as it may. Parallel requests may exceed the
 * limit by their own bytes.
 */
export async function addRequests(
  { pool }: Pick<Database, 'pool'>,
  requests: readonly NewDurableRequest[],
): Promise<readonly (DurableRequest | null)[]> {
  const { rows } = await pool.query<AddedRow>(addSql(requests));
  const added = new Map(rows.map((row) => [row.id, row]));
  return requests.map((request) => addedRequest(request, added.get(request.ticket.requestId)));
}

/** As `addRequests`, together with a queued response. */
export async function addWithResponse(
  database: Database,
  request: NewDurableRequest,
  queuedResponse: FinishedResponse,
): Promise<DurableRequest | null> {
  const { prisma } = database;
  const { requestId } = request.ticket;
  const [[row]] = await prisma.$transaction([
    prisma.$queryRaw<AddedRow[]>`${addSql([request])}`,
    recordResponse(database, queuedResponse, { requestId }),
  ]);
  return addedRequest(request, row);
}

type AddedRow = Pick<DurableRequestRow, 'id' | 'expires_at'>;

/** As the row is. */
function addedRequest(
  { ticket, vendor, webhookUrl, createdAtMs }: NewDurableRequest,
  row: AddedRow | undefined,
): DurableRequest | null {
  if (row === undefined) return null;
  const { requestId, accountId, isTest = false, endpoint, model } = ticket;
  return {
    ...{ requestId: requestId as RequestId, accountId, isTest, endpoint: endpoint as Endpoint, model, vendor, ticket },
    ...{ status: 'queued', version: 1, webhookUrl, attempts: 0, isCancelRequested: false },
    ...{ settlement: null, response: null, error: null, createdAtMs, startedAtMs: null, finishedAtMs: null },
    expiresAtMs: row.expires_at.getTime(),
  };
}

function addSql(requests: readonly NewDurableRequest[]) {
  const given = requests.map(({ queuedResponse: _stored, shortBody: _body, ...request }) =>
    toStorableJson({ ...request, createdAt: new Date(request.createdAtMs), deadline: new Date(request.deadlineMs) }),
  );
  const bodies = requests.map(({ shortBody }) => shortBody?.toString('hex') ?? null);
  return sql`SELECT id, expires_at FROM add_durable_requests(${given}::jsonb[], ${bodies}::text[])`;
}

/** False: there is none that waits. */
export async function deleteRequest(database: Database, requestId: string): Promise<boolean> {
  const { prisma } = database;
  const [deleted] = await prisma.$transaction([
    prisma.$executeRaw`DELETE FROM durable_request WHERE id = ${requestId} AND status = 'queued'`,
    deletePendingResponses(
      database,
      Object.values(STATE_FORMS).map(({ idOf }) => idOf(requestId as RequestId)),
    ),
  ]);
  return deleted === 1;
}

/** What a reader asks for. */
export interface RequestQuery extends RequestAccess {
  readonly id: string;
}

/** In the order of the queries. Null: the account has none. */
export async function findRequests(
  { pool }: Pick<Database, 'pool'>,
  queries: readonly RequestQuery[],
): Promise<readonly (DurableRequest | null)[]> {
  const ids = queries.map(({ id }) => id);
  const accounts = queries.map(({ accountId }) => accountId);
  const modes = queries.map(({ isTest }) => isTest);
  const { rows } = await pool.query<DurableRequestRow>(sql`
    SELECT ${REQUEST_COLUMNS}
    FROM find_durable_requests(${ids}::text[], ${accounts}::text[], ${modes}::boolean[]) AS request`);
  const found = new Map(rows.map((row) => [keyOf(row.id, row.account_id, row.is_test), row]));
  return queries.map(({ id, accountId, isTest }) => {
    const row = found.get(keyOf(id, accountId, isTest));
    return row === undefined ? null : readRow(row);
  });
}

const keyOf = (id: string, accountId: string, isTest: boolean): string => `${id} ${accountId} ${isTest}`;

export const findRequest = async (
  database: Pick<Database, 'pool'>,
  { accountId, isTest }: RequestAccess,
  id: string,
): Promise<DurableRequest | null> => (await findRequests(database, [{ accountId, isTest, id }]))[0] ?? null;

/** A queued request is due at once: the next sweep ends it. A running one learns it with the renewal of its claim. */
export async function requestCancellation(
  database: Database,
  access: RequestAccess,
  id: string,
): Promise<DurableRequest | null> {
  const [row] = await database.prisma.$queryRaw<DurableRequestRow[]>`
    UPDATE durable_request AS request SET
      cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
      due_at = CASE status WHEN 'queued' THEN clock_timestamp() ELSE due_at END
    WHERE id = ${id} AND account_id = ${access.accountId} AND is_test = ${access.isTest} AND finished_at IS NULL
    RETURNING ${REQUEST_COLUMNS}`;
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
