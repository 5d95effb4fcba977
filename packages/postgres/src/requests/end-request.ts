import type {
  DurableRequestRecord,
  ErrorRecord,
  FinalRequestStatus,
  StoredResponseHead,
  UsageSettled,
} from '@gateway/contracts';
import type { Database } from '../database.js';
import { Prisma } from '../generated/client.js';
import { type EndedResponse, endPendingResponse } from '../response-state/pending-response.js';
import { toStorableJson } from '../storable-json.js';
import type { RequestClaim } from './claim-request.js';

/** How a request ends. */
export interface RequestDecision {
  readonly settlement: UsageSettled;
  /** Null: nothing of a response is stored. */
  readonly response: StoredResponseHead | null;
  /** Its bytes, if they are stored in the row. */
  readonly shortResponse?: Buffer;
  readonly error: ErrorRecord | null;
}

/** An ended request: its row, and the event that its customer gets. */
export interface FinishedRequest {
  readonly requestId: string;
  readonly accountId: string;
  readonly status: FinalRequestStatus;
  readonly finishedAtMs: number;
  readonly record: DurableRequestRecord;
  /** The end is no event: that of its batch is. */
  readonly isOfBatch: boolean;
  /** Present for a response that no edge stores: its end is stored with that of its request, and may be the event. */
  readonly endedResponse?: EndedResponse | undefined;
}

/** The decision of the run that has a claim. */
export interface ClaimedDecision extends RequestDecision {
  readonly claim: RequestClaim;
}

/** In the order of the decisions; false: the claim does not hold. A repeated decision is the same one: its first reply may have been lost. */
export async function decideRequests(
  { pool }: Pick<Database, 'pool'>,
  decisions: readonly ClaimedDecision[],
): Promise<readonly boolean[]> {
  const given = decisions.map(({ claim: { requestId, owner }, shortResponse: _bytes, ...decision }) =>
    toStorableJson({ ...decision, id: requestId, owner }),
  );
  const bytes = decisions.map(({ shortResponse }) => shortResponse?.toString('hex') ?? null);
  const { rows } = await pool.query<{ id: string; owner: string }>(Prisma.sql`
    WITH decision AS (
      SELECT request.id, given.settlement, given.response, decode(decided.bytes, 'hex') AS bytes, given.error
      FROM unnest(${given}::jsonb[], ${bytes}::text[]) AS decided (json, bytes), jsonb_to_record(decided.json)
        AS given (id text, owner text, settlement jsonb, response jsonb, error jsonb)
      JOIN durable_request AS request ON request.id = given.id AND request.owner = given.owner
      WHERE request.status = 'in_progress' AND (request.settlement IS NULL OR request.settlement = given.settlement)
      ORDER BY request.account_id, request.id FOR UPDATE OF request
    )
    UPDATE durable_request AS request
    SET settlement = decision.settlement, response = decision.response, response_body = decision.bytes,
      error = decision.error
    FROM decision WHERE request.id = decision.id
    RETURNING request.id, request.owner`);
  const owners = new Map(rows.map(({ id, owner }) => [id, owner]));
  return decisions.map(({ claim }) => owners.get(claim.requestId) === claim.owner);
}

/** In the order of the requests, all of one account; false: it has ended before. */
export async function finishRequests(
  { pool }: Pick<Database, 'pool'>,
  requests: readonly FinishedRequest[],
): Promise<readonly boolean[]> {
  const { rows } = await pool.query<{ places: readonly number[] }>(finishSql(requests));
  const places = new Set(rows.flatMap(({ places }) => places));
  return requests.map((_request, place) => places.has(place));
}

/** Ends a request together with its response in the background. */
export async function finishWithResponse(
  database: Database,
  request: FinishedRequest,
  response: EndedResponse,
): Promise<boolean> {
  const { prisma } = database;
  const [rows] = await prisma.$transaction([
    prisma.$queryRaw<unknown[]>(finishSql([request])),
    endPendingResponse(database, response),
  ]);
  return rows.length === 1;
}

/** The changes and their events commit together, or none of them. */
function finishSql(requests: readonly FinishedRequest[]) {
  const given = requests.map((request, place) =>
    toStorableJson({
      ...{ place, id: request.requestId, status: request.status },
      finishedAt: new Date(request.finishedAtMs),
      event: request.isOfBatch ? null : eventOf(request),
    }),
  );
  return Prisma.sql`
    WITH ending AS (
      SELECT request.id, given.status, given."finishedAt", given.event, given.place
      FROM unnest(${given}::jsonb[]) AS ended (json), jsonb_to_record(ended.json)
        AS given (id text, status text, "finishedAt" timestamptz, event jsonb, place integer)
      JOIN durable_request AS request ON request.id = given.id
      WHERE request.status = 'in_progress' AND request.settlement IS NOT NULL
      ORDER BY request.account_id, request.id FOR UPDATE OF request
    ), finished AS (
      UPDATE durable_request AS request SET status = ending.status, version = version + 1, owner = NULL,
        finished_at = ending."finishedAt", bytes = bytes + coalesce((response ->> 'bytes')::bigint, 0)
      FROM ending WHERE request.id = ending.id
      RETURNING request.account_id, request.is_test, request.webhook_url, ending.event, ending.place
    )
    SELECT array_agg(place) AS places, emit_events(account_id,
      array_agg(event ORDER BY place) FILTER (WHERE event IS NOT NULL),
      array_agg(webhook_url ORDER BY place) FILTER (WHERE event IS NOT NULL),
      array_agg(is_test ORDER BY place) FILTER (WHERE event IS NOT NULL))
    FROM finished GROUP BY account_id`;
}

function eventOf({ requestId, status, record, endedResponse }: FinishedRequest) {
  if (endedResponse?.isAnnounced !== true) return { type: `request.${status}`, subject: requestId, data: record };
  const { id } = endedResponse;
  return { type: `response.${endedResponse.status}`, subject: id, data: { id } };
}
