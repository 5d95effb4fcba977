import type {
  DurableRequestRecord,
  ErrorRecord,
  FinalRequestStatus,
  StoredResponseHead,
  UsageSettled,
} from '@gateway/contracts';
import type { Database } from '../database.js';
import { type EndedResponse, endPendingResponse } from '../response-state/pending-response.js';
import { toStorableJson } from '../storable-json.js';
import type { RequestClaim } from './claim-request.js';

/** How a request ends. */
export interface RequestDecision {
  readonly settlement: UsageSettled;
  /** Null: nothing of a response is stored. */
  readonly response: StoredResponseHead | null;
  readonly error: ErrorRecord | null;
}

/** An ended request: its row, and the event that its customer gets. */
export interface FinishedRequest {
  readonly requestId: string;
  readonly accountId: string;
  readonly isTest: boolean;
  readonly webhookUrl: string | null;
  readonly status: FinalRequestStatus;
  readonly finishedAtMs: number;
  readonly record: DurableRequestRecord;
  /** The end is no event: that of its batch is. */
  readonly isOfBatch: boolean;
  /** Present for a response that no edge stores: its end is stored with that of its request, and may be the event. */
  readonly endedResponse?: EndedResponse | undefined;
}

const jsonOrNull = (value: object | null): string | null => (value === null ? null : toStorableJson(value));

/** A repeated decision is the same one: its first reply may have been lost. */
export async function decideRequest(
  { prisma }: Database,
  { requestId, owner }: RequestClaim,
  { settlement, response, error }: RequestDecision,
): Promise<boolean> {
  const json = toStorableJson(settlement);
  const decided = await prisma.$executeRaw`
    UPDATE durable_request SET settlement = ${json}::jsonb, response = ${jsonOrNull(response)}::jsonb,
      error = ${jsonOrNull(error)}::jsonb
    WHERE id = ${requestId} AND owner = ${owner} AND status = 'in_progress'
      AND (settlement IS NULL OR settlement = ${json}::jsonb)`;
  return decided === 1;
}

/** The change, its event and the response in the background commit together, or none of them. */
export async function finishRequest(database: Database, finished: FinishedRequest): Promise<boolean> {
  const { endedResponse } = finished;
  const statement = finishStatement(database, finished);
  if (endedResponse === undefined) return (await statement).length === 1;
  const [rows] = await database.prisma.$transaction([statement, endPendingResponse(database, endedResponse)]);
  return rows.length === 1;
}

function finishStatement({ prisma }: Database, finished: FinishedRequest) {
  const { requestId, accountId, isTest, webhookUrl, status, finishedAtMs } = finished;
  const { type, subject, data } = eventOf(finished);
  const isEvent = !finished.isOfBatch;
  return prisma.$queryRaw<unknown[]>`
    WITH finished AS (
      UPDATE durable_request SET status = ${status}, version = version + 1, owner = NULL,
        finished_at = ${new Date(finishedAtMs)}, bytes = bytes + coalesce((response ->> 'bytes')::bigint, 0)
      WHERE id = ${requestId} AND status = 'in_progress' AND settlement IS NOT NULL
      RETURNING id
    )
    SELECT CASE WHEN ${isEvent} THEN emit_event(${accountId}, ${type}, ${subject}, ${toStorableJson(data)}::jsonb,
      ${webhookUrl}::text, ${isTest}) END FROM finished`;
}

function eventOf({ requestId, status, record, endedResponse }: FinishedRequest) {
  if (endedResponse?.isAnnounced !== true) return { type: `request.${status}`, subject: requestId, data: record };
  const { id } = endedResponse;
  return { type: `response.${endedResponse.status}`, subject: id, data: { id } };
}
