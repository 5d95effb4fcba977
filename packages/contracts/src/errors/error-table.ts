/** What one kind of error is. `type` is what the chat-completions protocol calls it. */
export interface ErrorRow {
  readonly status: number;
  readonly type: string;
  /** The name in Style B (`{code, message, request_id}`). */
  readonly styleBCode: string;
  /** The name in the native messages format. */
  readonly anthropicType: string;
  /** Tells client libraries whether another try can help (`x-should-retry`). */
  readonly canRetry: boolean;
  /** How long to wait before it, where it can only help later and nobody knows the true time. */
  readonly waitMs?: number;
  /** `error.details.error_code` of the native messages format: client libraries of it act on some of them by themselves. */
  readonly anthropicCode?: string;
}

const WAIT_MS = 1_000;

type Retry = 'never' | 'now' | 'later';

const row = (
  status: number,
  type: string,
  styleBCode: string,
  anthropicType: string,
  retry: Retry = 'never',
): ErrorRow => ({
  status,
  type,
  styleBCode,
  anthropicType,
  canRetry: retry !== 'never',
  ...(retry === 'later' && { waitMs: WAIT_MS }),
});

/** Every error that the gateway itself can answer with. An error is one row here and nothing else. */
export const ERRORS = {
  invalid_request: row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
  invalid_json: row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
  unsupported_parameter: row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
  unknown_parameter: row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
  unsupported_value: row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
  context_length_exceeded: row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
  thread_unsupported: {
    ...row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
    anthropicCode: 'thread_unsupported_request',
  },
  model_not_found: row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
  endpoint_model_mismatch: row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
  invalid_mask: row(400, 'invalid_request_error', 'InvalidParameter', 'invalid_request_error'),
  max_cost_exceeded: row(400, 'invalid_request_error', 'MaxCostExceeded', 'invalid_request_error'),
  invalid_api_key: row(401, 'authentication_error', 'InvalidApiKey', 'authentication_error'),
  insufficient_balance: row(402, 'insufficient_balance', 'InsufficientBalance', 'billing_error'),
  permission_denied: row(403, 'permission_error', 'AccessDenied', 'permission_error'),
  not_found: row(404, 'invalid_request_error', 'NotFound', 'not_found_error'),
  method_not_allowed: row(405, 'invalid_request_error', 'MethodNotAllowed', 'invalid_request_error'),
  request_timeout: row(408, 'invalid_request_error', 'RequestTimeOut', 'timeout_error', 'now'),
  idempotency_conflict: row(409, 'invalid_request_error', 'IdempotencyConflict', 'conflict_error'),
  idempotency_in_progress: row(409, 'invalid_request_error', 'IdempotencyInProgress', 'conflict_error', 'later'),
  idempotency_answer_lost: row(409, 'invalid_request_error', 'IdempotencyAnswerLost', 'conflict_error'),
  request_too_large: row(413, 'invalid_request_error', 'BadRequest.TooLarge', 'request_too_large'),
  unsupported_media_type: row(415, 'invalid_request_error', 'UnsupportedMediaType', 'invalid_request_error'),
  headers_too_large: row(431, 'invalid_request_error', 'BadRequest.TooLarge', 'request_too_large'),
  rate_limit_exceeded: row(429, 'rate_limit_error', 'Throttling.RateQuota', 'rate_limit_error', 'later'),
  client_closed_request: row(499, 'invalid_request_error', 'ClientClosedRequest', 'api_error'),
  internal_error: row(500, 'server_error', 'InternalError', 'api_error', 'now'),
  upstream_error: row(502, 'upstream_error', 'InternalError', 'api_error', 'now'),
  worker_lost: row(502, 'upstream_error', 'InternalError', 'api_error', 'now'),
  upstream_unavailable: row(503, 'upstream_error', 'ModelUnavailable', 'overloaded_error', 'later'),
  service_unavailable: row(503, 'server_error', 'ServiceUnavailable', 'overloaded_error', 'later'),
  upstream_timeout: row(504, 'upstream_error', 'RequestTimeOut', 'timeout_error', 'now'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
