/** One kind of error, with its name in each dialect. */
export interface ErrorRow {
  readonly status: number;
  /** `error.type` of the chat-completions protocol (dialect `a`). */
  readonly type: string;
  /** `code` of dialect `b`: `{code, message, request_id}`. */
  readonly styleBCode: string;
  /** `error.type` of the native messages format. */
  readonly anthropicType: string;
  /** Whether client libraries should retry: the header `x-should-retry`. */
  readonly canRetry: boolean;
  /** Milliseconds before a retry (`retry-after`), if the error itself names no better time. */
  readonly waitMs?: number;
  /** `error.details.error_code` of the native messages format; its client libraries act on some of them. */
  readonly anthropicCode?: string;
}

const RETRY_LATER_MS = 1_000;

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
  ...(retry === 'later' && { waitMs: RETRY_LATER_MS }),
});

/**
 * Every error of the gateway itself. To add one, add a row: HTTP status, type (`a`), code (`b`), type (native messages),
 * and whether to retry.
 */
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
  insufficient_quota: row(402, 'insufficient_quota', 'InsufficientBalance', 'billing_error'),
  batch_budget_exceeded: row(402, 'insufficient_quota', 'InsufficientBalance', 'billing_error'),
  permission_denied: row(403, 'permission_error', 'AccessDenied', 'permission_error'),
  not_found: row(404, 'invalid_request_error', 'NotFound', 'not_found_error'),
  previous_response_not_found: row(404, 'invalid_request_error', 'NotFound', 'not_found_error'),
  method_not_allowed: row(405, 'invalid_request_error', 'MethodNotAllowed', 'invalid_request_error'),
  request_timeout: row(408, 'invalid_request_error', 'RequestTimeOut', 'timeout_error', 'now'),
  idempotency_conflict: row(409, 'invalid_request_error', 'IdempotencyConflict', 'conflict_error'),
  request_in_progress: row(409, 'invalid_request_error', 'RequestInProgress', 'conflict_error', 'later'),
  idempotency_in_progress: row(409, 'invalid_request_error', 'IdempotencyInProgress', 'conflict_error', 'later'),
  idempotency_answer_lost: row(409, 'invalid_request_error', 'IdempotencyAnswerLost', 'conflict_error'),
  precondition_failed: row(412, 'invalid_request_error', 'PreconditionFailed', 'invalid_request_error'),
  request_too_large: row(413, 'invalid_request_error', 'BadRequest.TooLarge', 'request_too_large'),
  storage_limit_exceeded: row(413, 'invalid_request_error', 'StorageLimitExceeded', 'request_too_large'),
  unsupported_media_type: row(415, 'invalid_request_error', 'UnsupportedMediaType', 'invalid_request_error'),
  range_not_satisfiable: row(416, 'invalid_request_error', 'InvalidRange', 'invalid_request_error'),
  headers_too_large: row(431, 'invalid_request_error', 'BadRequest.TooLarge', 'request_too_large'),
  rate_limit_exceeded: row(429, 'rate_limit_error', 'Throttling.RateQuota', 'rate_limit_error', 'later'),
  client_closed_request: row(499, 'invalid_request_error', 'ClientClosedRequest', 'api_error'),
  internal_error: row(500, 'server_error', 'InternalError', 'api_error', 'now'),
  upstream_error: row(502, 'upstream_error', 'InternalError', 'api_error', 'now'),
  worker_lost: row(502, 'upstream_error', 'InternalError', 'api_error', 'now'),
  upstream_unavailable: row(503, 'upstream_error', 'ModelUnavailable', 'overloaded_error', 'later'),
  service_unavailable: row(503, 'server_error', 'ServiceUnavailable', 'overloaded_error', 'later'),
  response_not_stored: row(503, 'server_error', 'ServiceUnavailable', 'api_error', 'later'),
  store_full: row(507, 'server_error', 'StoreFull', 'api_error', 'later'),
  upstream_timeout: row(504, 'upstream_error', 'RequestTimeOut', 'timeout_error', 'now'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
