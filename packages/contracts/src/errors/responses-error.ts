import { ERRORS, type ErrorCode, type ErrorRow } from './error-table.js';
import type { ErrorRecord } from './gateway-error.js';
import { upstreamErrorOf } from './upstream-error.js';

/** What clients of the Responses protocol read of an error: OpenAI's names. */
export interface ResponsesError {
  readonly code: string;
  readonly message: string;
}

/** Codes that clients act on, where ours differ. A server error of any cause may be retried. */
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  insufficient_balance: 'insufficient_quota',
};

/** Words at the end of a message that name no time. */
const SOME_WAIT = /[.,]\s+(?:please\s+)?try again (?:later|shortly|in a moment)\.$/i;

/** Clients wait as long as these words say, and read no header inside a stream. */
function withWait({ message, code, retryAfterMs }: ErrorRecord): string {
  if (code !== 'rate_limit_exceeded' || /try again in \d/i.test(message)) return message;
  const { waitMs = 0 }: ErrorRow = ERRORS[code];
  const seconds = Math.max(1, Math.ceil((retryAfterMs ?? waitMs) / 1_000));
  return `${message.replace(SOME_WAIT, '.')} Please try again in ${seconds}s.`;
}

/** Code and message of an error response. */
export const responsesError = (error: ErrorRecord): ResponsesError => ({
  code: upstreamErrorOf(error)?.code ?? CODES[error.code] ?? error.code,
  message: withWait(error),
});

const SERVER_ERROR = 500;

/** Code and message of a response that failed after its stream had begun: every fault of a server is `server_error`. */
export function failedResponseError(error: ErrorRecord): ResponsesError {
  const { code, message } = responsesError(error);
  return { code: ERRORS[error.code].status >= SERVER_ERROR ? 'server_error' : code, message };
}
