import type {
  DurableRequestRecord,
  ErrorRecord,
  FinalRequestStatus,
  StoredResponseHead,
  UsageSettled,
} from '@gateway/contracts';
import type { Database } from '../database.js';
import { type EndedResponse, endPendingResponse } from '../response-state/pending-response.js';
import { sql } from '../sql.js';
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

/** The end of a request by the run that has its claim: its row, and the event that its customer gets. */
export interface RequestEnd extends RequestDecision {
  readonly claim: RequestClaim;
  readonly accountId: string;
  readonly status: FinalRequestStatus;
  readonly finishedAtMs: number;
  readonly record: DurableRequestRecord;
  /** The end is no event: that of its batch is. */
  readonly isOfBatch: boolean;
  /** Present for a response that no edge stores: its end is stored with that of its request, and may be the event. */
  readonly endedResponse?: EndedResponse | undefined;
}

/** A request that a dead worker has ended and not settled is due again after this time. */
const SETTLE_WITHIN_SECONDS = 10;

/**
 * In the order of the ends, all of one account; false: the claim does not hold. A repeated end with the same settlement is the
 * same one, and changes nothing: its first reply may have been lost.
 */
export async function endRequests(
  { pool }: Pick<Database, 'pool'>,
  ends: readonly RequestEnd[],
): Promise<readonly boolean[]> {
  const { rows } = await pool.query<EndedRow>(endSql(ends));
  const places = placesIn(rows);
  return ends.map((_end, place) => places.has(place));
}

/** Ends a request together with its response in the background. */
export async function endWithResponse(database: Database, end: RequestEnd, response: EndedResponse): Promise<boolean> {
  const { prisma } = database;
  const [rows] = await prisma.$transaction([
    prisma.$queryRaw<EndedRow[]>`${endSql([end])}`,
    endPendingResponse(database, response, end.claim),
  ]);
  return placesIn(rows).has(0);
}

/** Those whose claim holds. */
interface EndedRow {
  readonly places: readonly number[] | null;
}

const placesIn = (rows: readonly EndedRow[]): Set<number> => new Set(rows.flatMap(({ places }) => places ?? []));

/** The changes and their events commit together, or none of them. */
function endSql(ends: readonly RequestEnd[]) {
  const given = ends.map((end, place) => {
    const { claim, settlement, response, error, status, isOfBatch } = end;
    return toStorableJson({
      ...{ place, id: claim.requestId, owner: claim.owner, settlement, response, error, status },
      finishedAt: new Date(end.finishedAtMs),
      event: isOfBatch ? null : eventOf(end),
    });
  });
  const bodies = ends.map(({ shortResponse }) => shortResponse?.toString('hex') ?? null);
  return sql`
    SELECT end_durable_requests(${given}::jsonb[], ${bodies}::text[], ${SETTLE_WITHIN_SECONDS}::float8) AS places`;
}

function eventOf({ claim: { requestId }, status, record, endedResponse }: RequestEnd) {
  if (endedResponse?.isAnnounced !== true) return { type: `request.${status}`, subject: requestId, data: record };
  const { id } = endedResponse;
  return { type: `response.${endedResponse.status}`, subject: id, data: { id } };
}

/** Redis has confirmed the settlements of these ended requests: nothing more happens to them. */
export async function markSettled(
  { pool }: Pick<Database, 'pool'>,
  requestIds: readonly string[],
): Promise<readonly undefined[]> {
  await pool.query(sql`
    WITH settled AS (
      SELECT id FROM durable_request WHERE id = ANY (${[...requestIds]}::text[]) AND finished_at IS NOT NULL
      ORDER BY account_id, id FOR UPDATE
    ), closed AS (
      DELETE FROM open_request USING settled WHERE open_request.id = settled.id
    )
    UPDATE durable_request AS request SET settled_at = clock_timestamp(), owner = NULL
    FROM settled WHERE request.id = settled.id AND settled_at IS NULL`);
  return requestIds.map(() => undefined);
}
