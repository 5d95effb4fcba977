import type { ErrorRecord } from '../errors/gateway-error.js';
import type { DurableRequest, FinalRequestStatus, StoredResponseHead } from './durable-request.js';

/** The end of a durable request with its short response, on its way from a worker to the edge whose client waits. */
interface SentEnd {
  readonly id: string;
  readonly status: FinalRequestStatus;
  readonly version: number;
  readonly settlement: DurableRequest['settlement'];
  readonly response: StoredResponseHead | null;
  readonly error: ErrorRecord | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number;
  /** Of the response, as Base64. */
  readonly body: string | undefined;
}

/** Undefined: it has not ended, or its response is too long to be sent. */
export function encodeRequestEnd(request: DurableRequest): string | undefined {
  const { requestId: id, status, version, settlement, response, error, startedAtMs, finishedAtMs } = request;
  const { shortResponse } = request;
  if (finishedAtMs === null || (response !== null && shortResponse === undefined)) return undefined;
  const body = shortResponse?.toString('base64');
  const end = { id, status, version, settlement, response, error, startedAtMs, finishedAtMs, body };
  return JSON.stringify(end satisfies Omit<SentEnd, 'status'>);
}

/** `accepted`: the request as it was queued. */
export type RequestEnding = (accepted: DurableRequest) => DurableRequest;

/** Only workers of the gateway send it, so it is trusted. */
export function decodeRequestEnd(text: string): { readonly requestId: string; readonly end: RequestEnding } {
  const { id, body, ...end } = JSON.parse(text) as SentEnd;
  return {
    requestId: id,
    end: (accepted) => ({
      ...{ ...accepted, ...end },
      ...(body !== undefined && { shortResponse: Buffer.from(body, 'base64') }),
    }),
  };
}
