import { ERRORS, type ErrorCode } from '@gateway/contracts';

export interface ToolFailureDetails {
  /** Request id of the gateway's response: support staff find the request by it. */
  readonly requestId?: string | undefined;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
}

/** Error of a tool call, shown to the calling model. Its code is the gateway's, or the upstream's. */
export class ToolFailure extends Error {
  constructor(
    readonly code: ErrorCode | (string & {}),
    message: string,
    readonly details: ToolFailureDetails = {},
  ) {
    super(message);
    this.name = 'ToolFailure';
  }
}

/** Rejects an argument before any request. The message starts with the argument's name, like the gateway's own errors. */
export const invalidArgument = (name: string, expected: string): ToolFailure =>
  new ToolFailure('invalid_request', `'${name}': ${expected}`, { status: ERRORS.invalid_request.status });

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const firstText = (...candidates: readonly unknown[]): string | undefined =>
  candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');

/** Reads an error body in any dialect of the gateway's endpoints. Upstream errors that pass through share these shapes. */
export function failureFromBody(body: unknown, details: ToolFailureDetails): ToolFailure {
  const outer = fieldsOf(body);
  const inner = fieldsOf(outer.error);
  const code = firstText(inner.code, outer.code, inner.type, outer.error_code) ?? 'upstream_error';
  const message = firstText(inner.message, outer.message, outer.detail, outer.error);
  const requestId = details.requestId ?? firstText(outer.request_id);
  return new ToolFailure(code, message ?? `The gateway refused the request (${details.status ?? 'no status'}).`, {
    ...details,
    requestId,
  });
}

/** Reads a response whose status is not 2xx. */
export function failureFromResponse(status: number, headers: Fields, bytes: Buffer): ToolFailure {
  const retryAfter = Number(headers['retry-after']);
  const details = {
    status,
    requestId: firstText(headers['x-request-id']),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  };
  try {
    return failureFromBody(JSON.parse(bytes.toString('utf8')), details);
  } catch {
    // Not JSON, such as a proxy's HTML page: only the status is known.
    return failureFromBody(undefined, details);
  }
}
