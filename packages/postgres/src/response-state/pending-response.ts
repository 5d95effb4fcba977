import { type ConversationId, PENDING_STATUS, type ResponseEndStatus, type ResponseId } from '@gateway/contracts';
import type { Database } from '../database.js';
import type { RequestClaim } from '../requests/claim-request.js';
import { addItems, type StateItem } from './record-response.js';

/** A response in the background that has not ended. */
export interface PendingResponse {
  readonly id: ResponseId;
  readonly input: string;
  /** The JSON of the queued response. */
  readonly response: string;
  readonly conversationId: ConversationId | null;
  /** False: its client asked for a later response by `Prefer`, and knows the request. */
  readonly isBackground: boolean;
}

/** The end of a response in the background. */
export interface EndedResponse {
  readonly id: ResponseId;
  readonly accountId: string;
  readonly status: ResponseEndStatus;
  /** The event of the end names the response, instead of its request. */
  readonly isAnnounced: boolean;
  /** The JSON of the response object. */
  readonly response: string;
  readonly outputItemIds: readonly string[];
  readonly conversation?: { readonly id: ConversationId; readonly newItems: readonly StateItem[] };
}

/** Null: the response is in no background, has ended, or was deleted. */
export async function findPendingResponse({ prisma }: Database, id: ResponseId): Promise<PendingResponse | null> {
  const [row] = await prisma.$queryRaw<PendingResponse[]>`
    SELECT id, input, response, conversation_id AS "conversationId",
      coalesce((response::jsonb ->> 'background')::boolean, false) AS "isBackground" FROM stored_response
    WHERE id = ${id} AND status = ${PENDING_STATUS}`;
  return row ?? null;
}

/**
 * Once: a response that has ended, or was deleted, does not change. Not yet run: it is part of the transaction that ends its
 * request, and does nothing if the claim does not hold.
 */
export const endPendingResponse = (
  { prisma }: Database,
  ended: EndedResponse,
  claim: RequestClaim,
) => prisma.$executeRaw`
    WITH stored AS (
      UPDATE stored_response SET status = ${ended.status}, response = ${ended.response},
        bytes = octet_length(input) + ${Buffer.byteLength(ended.response)}::int
      WHERE id = ${ended.id} AND account_id = ${ended.accountId} AND status = ${PENDING_STATUS}
        AND EXISTS (SELECT 1 FROM durable_request WHERE durable_request.id = ${claim.requestId}
          AND owner = ${claim.owner} AND finished_at IS NOT NULL)
      RETURNING id, model
    )${addItems(ended)}`;

/** Removes the response of a request that did not come to be. `ids`: by the format that it may have. */
export const deletePendingResponses = ({ prisma }: Database, ids: readonly ResponseId[]) => prisma.$executeRaw`
    DELETE FROM stored_response WHERE id = ANY(${[...ids]}::text[]) AND status = ${PENDING_STATUS}`;
