import type {
  DurableRequest,
  DurableRequestStatus,
  Endpoint,
  ErrorRecord,
  RequestId,
  StoredResponseHead,
  SyncTicket,
  UsageSettled,
  Vendor,
} from '@gateway/contracts';
import { Sql } from '../sql.js';

const STATE = [
  ...['id', 'account_id', 'is_test', 'endpoint', 'model', 'vendor', 'status', 'version', 'webhook_url', 'owner'],
  ...['attempts', 'cancel_requested_at', 'settlement', 'response', 'error', 'created_at', 'started_at'],
  ...['finished_at', 'expires_at'],
].map((column) => `request.${column}`);

/** All but ticket and contents, of a table with the alias `request`. */
export const STATE_COLUMNS = new Sql([STATE.join(', ')], []);
/** Without contents. */
export const LISTED_COLUMNS = new Sql([[...STATE, 'request.ticket'].join(', ')], []);
/** All but the body. */
export const REQUEST_COLUMNS = new Sql([[...STATE, 'request.ticket', 'request.response_body'].join(', ')], []);

/** A row of `durable_request`, as a raw query returns it. */
export interface DurableRequestRow {
  readonly id: string;
  readonly account_id: string;
  readonly is_test: boolean;
  readonly endpoint: string;
  readonly model: string;
  readonly vendor: string;
  readonly status: string;
  readonly version: number;
  readonly ticket: unknown;
  readonly webhook_url: string | null;
  readonly owner: string | null;
  readonly attempts: number;
  readonly cancel_requested_at: Date | null;
  readonly settlement: unknown;
  readonly response: unknown;
  /** Absent where a statement does not read it. */
  readonly response_body?: Uint8Array | null;
  readonly error: unknown;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly expires_at: Date;
}

/** With the claim that may change it. */
export interface OwnedRequest {
  readonly request: DurableRequest;
  /** Null: no worker has claimed it. */
  readonly owner: string | null;
  /** Its deadline has passed, by the clock of PostgreSQL. */
  readonly isLate: boolean;
}

/** Prisma returns other arrays of bytes than the driver. */
export const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Only this package writes the table, so its JSON is trusted. */
export function readRow(row: DurableRequestRow): DurableRequest {
  return {
    requestId: row.id as RequestId,
    accountId: row.account_id,
    isTest: row.is_test,
    endpoint: row.endpoint as Endpoint,
    model: row.model,
    vendor: row.vendor as Vendor,
    status: row.status as DurableRequestStatus,
    version: row.version,
    ticket: row.ticket as SyncTicket,
    webhookUrl: row.webhook_url,
    attempts: row.attempts,
    isCancelRequested: row.cancel_requested_at !== null,
    settlement: row.settlement as UsageSettled | null,
    response: row.response as StoredResponseHead | null,
    ...(row.response_body != null && { shortResponse: bufferOf(row.response_body) }),
    error: row.error as ErrorRecord | null,
    createdAtMs: row.created_at.getTime(),
    startedAtMs: row.started_at?.getTime() ?? null,
    finishedAtMs: row.finished_at?.getTime() ?? null,
    expiresAtMs: row.expires_at.getTime(),
  };
}
