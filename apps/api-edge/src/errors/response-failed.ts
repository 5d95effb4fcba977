import { type ErrorRecord, failedResponseError, type RequestId, responseIdOf } from '@gateway/contracts';

/** What a client has got of a stream. */
export interface SentSoFar {
  /** Unix seconds. */
  readonly createdAt: number | undefined;
  /** -1 before the first event. */
  readonly lastSequenceNumber: number;
}

interface BrokenResponse {
  readonly requestId: string;
  readonly model: string | undefined;
  readonly sent: SentSoFar | undefined;
}

/** The event that ends a stream of the Responses protocol which breaks off. Clients read no other end of a failure. */
export function renderResponseFailed(error: ErrorRecord, { requestId, model, sent }: BrokenResponse): string {
  const event = {
    type: 'response.failed',
    sequence_number: (sent?.lastSequenceNumber ?? -1) + 1,
    response: {
      id: responseIdOf(requestId as RequestId),
      object: 'response',
      created_at: sent?.createdAt ?? Math.floor(Date.now() / 1_000),
      status: 'failed',
      error: failedResponseError(error),
      incomplete_details: null,
      instructions: null,
      metadata: {},
      model: model ?? '',
      output: [],
      parallel_tool_calls: true,
      temperature: null,
      tool_choice: 'auto',
      tools: [],
      top_p: null,
    },
  };
  return `event: response.failed\ndata: ${JSON.stringify(event)}\n\n`;
}
