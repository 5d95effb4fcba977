import { type ErrorCode, GatewayError, type PassThroughResponse } from '@gateway/contracts';
import type { ClassifiedFailure, FailureKind } from '../protocol.js';
import { type AccountFault, byCode } from './account-fault.js';

/** An upstream's error, independent of its envelope. */
export interface ErrorReport {
  readonly status: number;
  /** Set if the vendor's code or words name the gateway's account or model, with any status. */
  readonly accountFault: AccountFault | undefined;
  /** The upstream's message. The client sees it only if the fault is the client's. */
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
/** Faults of a status whose body names none. A 403 may concern only this model: the others must stay usable. */
const FAULT_OF_STATUS: Readonly<Record<number, AccountFault>> = {
  401: byCode('credential'),
  402: byCode('spent'),
  403: byCode('model'),
};
/** A client's content may cause these statuses. */
const UNCERTAIN_STATUSES: ReadonlySet<number> = new Set([403, 404]);
/** Upstreams quote no content in these statuses, so that their words are certain. */
const CERTAIN_STATUSES: ReadonlySet<number> = new Set([401, 402, 429]);
const OVERLOADS: ReadonlySet<number> = new Set([503, 529]);

const BAD_REQUEST = 400;

/** What each vendor says of a prompt that is longer than the model's context window. Few of them have a code for it. */
const TOO_LONG = new RegExp(
  [
    ...['prompt is too long', 'exceeds? (?:the )?context (?:limit|window|length)', 'maximum context length'],
    ...['input token count .*exceeds the maximum', 'input tokens exceed the', 'range of input length should be'],
  ].join('|'),
  'i',
);

const MESSAGES = {
  throttled: 'The upstream is receiving too many requests for this model. Please try again later.',
  unavailable: 'The model is temporarily unavailable. Please try again later.',
  failed: 'The upstream failed to process the request.',
  tooLarge: 'The request is too large for the upstream.',
} as const;

const classified = (
  kind: FailureKind,
  code: ErrorCode,
  message: string,
  { retryAfterMs, passThrough }: Partial<Pick<ErrorReport, 'retryAfterMs' | 'passThrough'>>,
): ClassifiedFailure => ({
  kind,
  error: new GatewayError(code, message, {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(passThrough !== undefined && { passThrough }),
  }),
  retryAfterMs,
});

/** Classifies an error and builds the client's version: complete if the client caused it, neutral otherwise. */
export function classifyErrorReport(report: ErrorReport): ClassifiedFailure {
  const { status, retryAfterMs, passThrough } = report;
  const fault = report.accountFault ?? FAULT_OF_STATUS[status];
  if (fault !== undefined) return accountFailure(fault, status);
  if (status === 429) return classified('throttled', 'rate_limit_exceeded', MESSAGES.throttled, { retryAfterMs });
  const clientFault = CLIENT_FAULTS[status];
  if (clientFault !== undefined && passThrough !== undefined) {
    const code = status === BAD_REQUEST && TOO_LONG.test(report.message) ? 'context_length_exceeded' : clientFault;
    return classified('request', code, report.message || MESSAGES.failed, { passThrough });
  }
  if (status === 413) return classified('request', 'request_too_large', MESSAGES.tooLarge, {});
  return OVERLOADS.has(status)
    ? classified('server', 'upstream_unavailable', MESSAGES.unavailable, { retryAfterMs })
    : classified('server', 'upstream_error', MESSAGES.failed, { retryAfterMs });
}

/** The client must not see the reason. */
function accountFailure({ subject, isByWords }: AccountFault, status: number): ClassifiedFailure {
  const isUncertain = UNCERTAIN_STATUSES.has(status) || (isByWords && !CERTAIN_STATUSES.has(status));
  return {
    ...classified(subject === 'model' ? 'model' : 'credential', 'upstream_unavailable', MESSAGES.unavailable, {}),
    ...(subject === 'spent' && { isSpent: true }),
    ...(isUncertain && { needsConfirmation: true }),
  };
}
