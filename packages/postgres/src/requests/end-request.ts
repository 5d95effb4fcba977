import type {
  DurableRequestRecord,
  ErrorRecord,
  FinalRequestStatus,
  StoredResponseHead,
  UsageSettled,
} from '@gateway/contracts';
import type { Database } from '../database.js';
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

/** The change and its event are one statement: both commit or neither. */
export async function finishRequest(
  { prisma }: Database,
  { requestId, accountId, isTest, webhookUrl, status, finishedAtMs, record }: FinishedRequest,
): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>`
    WITH finished AS (
      UPDATE durable_request SET status = ${status}, version = version + 1, owner = NULL,
        finished_at = ${new Date(finishedAtMs)}
      WHERE id = ${requestId} AND status = 'in_progress' AND settlement IS NOT NULL
      RETURNING id
    )
    SELECT emit_event(${accountId}, ${`request.${status}`}, id, ${toStorableJson(record)}::jsonb, ${webhookUrl}::text,
      ${isTest}) FROM finished`;
  return rows.length === 1;
}
