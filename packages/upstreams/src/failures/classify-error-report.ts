import { type ErrorCode, GatewayError, type PassThroughResponse } from '@gateway/contracts';
import type { FailureKind, ReadFailure } from '../protocol.js';

/** What an upstream complains of, in whatever envelope it came. */
export interface ErrorReport {
  readonly status: number;
  /** True if the credential is refused, spent or lacks the model, whatever the status says. */
  readonly isAboutCredential: boolean;
  /** The upstream's own words, shown to the client only if the fault is the client's. */
  readonly message: string;
  readonly retryAfterMs: number | undefined;
  /** Undefined if the body is not the upstream's own error, such as a proxy's HTML page. */
  readonly passThrough: PassThroughResponse | undefined;
}

const CLIENT_FAULTS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  409: 'invalid_request',
  413: 'request_too_large',
  422: 'invalid_request',
};
const CREDENTIAL_FAULTS: ReadonlySet<number> = new Set([401, 402, 403]);
/** Refusals that may be meant for this one model: what else the credential is good for must not suffer from them. */
const OF_ONE_MODEL: ReadonlySet<number> = new Set([403, 404]);
const OVERLOADS: ReadonlySet<number> = new Set([503, 529]);

const MESSAGES = {
  throttled: 'The upstream is receiving too many requests for this model. Please try again later.',
  unavailable: 'The model is temporarily unavailable. Please try again later.',
  failed: 'The upstream failed to answer the request.',
  tooLarge: 'The request is too large for the upstream.',
} as const;

const classified = (
  kind: FailureKind,
  code: ErrorCode,
  message: string,
  { retryAfterMs, passThrough }: Partial<Pick<ErrorReport, 'retryAfterMs' | 'passThrough'>>,
): ReadFailure => ({
  kind,
  error: new GatewayError(code, message, {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(passThrough !== undefined && { passThrough }),
  }),
  retryAfterMs,
});

/** What a report means for the next step, and what the client is told: its own fault in full, ours in neutral words. */
export function classifyErrorReport(report: ErrorReport): ReadFailure {
  const { status, retryAfterMs, passThrough } = report;
  if (report.isAboutCredential || CREDENTIAL_FAULTS.has(status)) {
    const kind = OF_ONE_MODEL.has(status) ? 'model' : 'credential';
    return classified(kind, 'upstream_unavailable', MESSAGES.unavailable, {});
  }
  if (status === 429) return classified('throttled', 'rate_limit_exceeded', MESSAGES.throttled, { retryAfterMs });
  const clientFault = CLIENT_FAULTS[status];
  if (clientFault !== undefined && passThrough !== undefined) {
    return classified('request', clientFault, report.message || MESSAGES.failed, { passThrough });
  }
  if (status === 413) return classified('request', 'request_too_large', MESSAGES.tooLarge, {});
  return OVERLOADS.has(status)
    ? classified('server', 'upstream_unavailable', MESSAGES.unavailable, { retryAfterMs })
    : classified('server', 'upstream_error', MESSAGES.failed, { retryAfterMs });
}
