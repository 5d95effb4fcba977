import type { ResponsesRequest } from '../api/responses-request.js';
import { unixSeconds } from '../api/unix-seconds.js';
import type { ErrorRecord } from '../errors/gateway-error.js';
import { failedResponseError } from '../errors/responses-error.js';
import { type RequestId, responseIdOf } from '../ids/ids.js';
import { finalRequestStatus } from '../requests/durable-request.js';
import { echoedResponseFields } from './echoed-fields.js';

/** How a response in the background ends. */
export const RESPONSE_ENDS = ['completed', 'incomplete', 'failed', 'cancelled'] as const;
export type ResponseEndStatus = (typeof RESPONSE_ENDS)[number];

/** Stored for a response in the background until it ends. `GET` shows whether it is running. */
export const PENDING_STATUS = 'queued';

/** A request whose answer is stored later. */
export interface QueuedRequest {
  readonly requestId: RequestId;
  readonly model: string;
  readonly createdAtMs: number;
}

/** The JSON of a response that has not begun. `members`: its request without the prompt. */
export const renderQueuedResponse = (
  { requestId, model, createdAtMs }: QueuedRequest,
  members: Partial<ResponsesRequest>,
): string =>
  JSON.stringify({
    id: responseIdOf(requestId),
    object: 'response',
    created_at: unixSeconds(createdAtMs),
    completed_at: null,
    status: PENDING_STATUS,
    error: null,
    incomplete_details: null,
    model,
    output: [],
    ...echoedResponseFields(members),
    usage: null,
  });

/** The queued response with another status. */
export const renderRunningResponse = (queuedJson: string): string =>
  JSON.stringify({ ...(JSON.parse(queuedJson) as object), status: 'in_progress' });

/** The queued response as it ends without an output. A cancelled one has no error, as the protocol has it. */
export function renderFailedResponse(queuedJson: string, error: ErrorRecord): string {
  const status = finalRequestStatus(error);
  return JSON.stringify({
    ...(JSON.parse(queuedJson) as object),
    status,
    error: status === 'cancelled' ? null : failedResponseError(error),
  });
}
