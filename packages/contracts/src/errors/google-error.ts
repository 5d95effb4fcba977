import { ERRORS, type ErrorCode, type ErrorRow } from './error-table.js';
import type { ErrorRecord } from './gateway-error.js';

/** `error.status` by HTTP status: the canonical codes of google.rpc.Code. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  410: 'NOT_FOUND',
  412: 'FAILED_PRECONDITION',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  416: 'INVALID_ARGUMENT',
  422: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  431: 'INVALID_ARGUMENT',
  499: 'CANCELLED',
  500: 'INTERNAL',
  502: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  507: 'RESOURCE_EXHAUSTED',
};

/** Google responds 404 where the gateway's other dialects say 400. */
const NOT_FOUND: ReadonlySet<ErrorCode> = new Set(['model_not_found', 'endpoint_model_mismatch']);

const detail = (type: string, fields: object): object => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...fields,
});

export const googleHttpStatus = (code: ErrorCode): number => (NOT_FOUND.has(code) ? 404 : ERRORS[code].status);

/** The wait that Google's client libraries read, as a duration such as `1.5s`. Undefined if a retry is of no use. */
function retryDelayOf({ code, retryAfterMs, mayHaveBegun }: ErrorRecord): string | undefined {
  const { canRetry, waitMs }: ErrorRow = ERRORS[code];
  const afterMs = canRetry && mayHaveBegun !== true ? (retryAfterMs ?? waitMs) : undefined;
  return afterMs === undefined ? undefined : `${Math.max(1, Math.ceil(afterMs)) / 1_000}s`;
}

/** Google's envelope, with the standard details of google.rpc: ai.google.dev/gemini-api/docs/troubleshooting. */
export function googleError(error: ErrorRecord, requestId: string): object {
  const { code, message, param } = error;
  const status = error.passThrough?.status ?? googleHttpStatus(code);
  const retryDelay = retryDelayOf(error);
  const reason = code === 'invalid_api_key' ? 'API_KEY_INVALID' : code.toUpperCase();
  return {
    error: {
      code: status,
      message,
      status: STATUS_NAMES[status] ?? 'UNKNOWN',
      details: [
        detail('ErrorInfo', { reason, domain: 'gateway' }),
        ...(param === undefined || param === ''
          ? []
          : [detail('BadRequest', { fieldViolations: [{ field: param, description: message }] })]),
        ...(retryDelay === undefined ? [] : [detail('RetryInfo', { retryDelay })]),
        detail('RequestInfo', { requestId }),
      ],
    },
  };
}
