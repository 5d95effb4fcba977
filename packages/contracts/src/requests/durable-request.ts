import { ENDPOINTS, type Endpoint } from '../api/endpoints.js';
import { unixSeconds, unixSecondsOrNull } from '../api/unix-seconds.js';
import type { ErrorRecord } from '../errors/gateway-error.js';
import type { UsageSettled } from '../events/usage-settled.event.js';
import type { RequestId } from '../ids/ids.js';
import type { SyncTicket, Vendor } from '../jobs/sync-ticket.job.js';

export const DURABLE_REQUEST_STATUSES = ['queued', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
export type DurableRequestStatus = (typeof DURABLE_REQUEST_STATUSES)[number];
export type FinalRequestStatus = Exclude<DurableRequestStatus, 'queued' | 'in_progress'>;

/** A body or a response up to here is in the row of its request. A longer one is an object of the store. */
export const MAX_SHORT_BYTES = 16 * 1024;

/** How a response began and how long it is. */
export interface StoredResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** The run that has written its object. Absent: the first one, or one of a former release. */
  readonly attempt?: number;
}

/** A request whose body and response are kept: it needs no edge and no connection of its client. */
export interface DurableRequest {
  readonly requestId: RequestId;
  readonly accountId: string;
  readonly isTest: boolean;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly vendor: Vendor;
  readonly status: DurableRequestStatus;
  /** Raised by every change of the status: the id of its event. */
  readonly version: number;
  readonly ticket: SyncTicket;
  readonly webhookUrl: string | null;
  /** The workers that have claimed it. */
  readonly attempts: number;
  readonly isCancelRequested: boolean;
  /** Recorded before Redis settles. A request with one is decided: no worker runs it again. */
  readonly settlement: UsageSettled | null;
  readonly response: StoredResponseHead | null;
  /** The bytes of a response that is in the row. Absent: they are in the store, or were not read. */
  readonly shortResponse?: Buffer;
  readonly error: ErrorRecord | null;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly expiresAtMs: number;
}

/** A durable request, as its customer sees it. Times are Unix seconds, addresses relative to the base URL. */
export interface DurableRequestRecord {
  readonly id: string;
  readonly object: 'request';
  readonly status: DurableRequestStatus;
  readonly endpoint: string;
  readonly model: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  /** When body and response are deleted, at the earliest. */
  readonly expires_at: number;
  readonly cancel_requested: boolean;
  readonly cost: { readonly held_usd: string; readonly charged_usd: string | null };
  readonly response: { readonly status: number; readonly content_type: string; readonly bytes: number } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly status_url: string;
  readonly events_url: string;
  readonly result_url: string;
  readonly stream_url: string;
  readonly cancel_url: string;
}

export const isFinalRequestStatus = (status: DurableRequestStatus): status is FinalRequestStatus =>
  status !== 'queued' && status !== 'in_progress';

/** The status of an ended request, by the error that ended it. */
export function finalRequestStatus(error: Pick<ErrorRecord, 'code'> | null): FinalRequestStatus {
  if (error === null) return 'completed';
  return error.code === 'client_closed_request' ? 'cancelled' : 'failed';
}

/** Key of a body that is longer than `MAX_SHORT_BYTES`. */
export const bodyObject = (requestId: string): string => `requests/${requestId}/body`;

/**
 * Key of a response that is longer than `MAX_SHORT_BYTES`. Each run writes an object of its own: one that was frozen may still
 * write after another run has ended the request.
 */
export const responseObject = (requestId: string, attempt = 1): string =>
  attempt === 1 ? `requests/${requestId}/response` : `requests/${requestId}/response-${attempt}`;

/** Renders a request for its customer. `usd` formats nano-USD as decimal USD. */
export function renderDurableRequest(request: DurableRequest, usd: (nanoUsd: bigint) => string): DurableRequestRecord {
  const { requestId: id, response, error, settlement, status } = request;
  const url = `/v1/requests/${id}`;
  const chargedNanoUsd = isFinalRequestStatus(status) ? BigInt(settlement?.costNanoUsd ?? '0') : null;
  return {
    id,
    object: 'request',
    status,
    endpoint: ENDPOINTS[request.endpoint].path,
    model: request.model,
    created_at: unixSeconds(request.createdAtMs),
    started_at: unixSecondsOrNull(request.startedAtMs),
    finished_at: unixSecondsOrNull(request.finishedAtMs),
    expires_at: unixSeconds(request.expiresAtMs),
    cancel_requested: request.isCancelRequested,
    cost: {
      held_usd: usd(BigInt(request.ticket.holdNanoUsd)),
      charged_usd: chargedNanoUsd === null ? null : usd(chargedNanoUsd),
    },
    response: response && {
      status: response.status,
      content_type: response.headers['content-type'] ?? 'application/octet-stream',
      bytes: response.bytes,
    },
    error: error && { code: error.code, message: error.message },
    status_url: url,
    events_url: `${url}/events`,
    result_url: `${url}/result`,
    stream_url: `${url}/stream`,
    cancel_url: `${url}/cancel`,
  };
}
