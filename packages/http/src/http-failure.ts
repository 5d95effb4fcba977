/**
 * What the sender knows about a failed request.
 * - `connect`: nothing was sent (refused, unknown host, TLS, connect timeout): a retry elsewhere is safe.
 * - `ambiguous`: some bytes were sent, so the upstream may have done the work and may charge for it.
 * - `aborted`: the caller's signal ended it; `wasSent` is true if the upstream may have started.
 * - `too_large`: the response exceeds the caller's limit.
 */
export type HttpFailureKind = 'connect' | 'ambiguous' | 'aborted' | 'too_large';

export interface HttpFailureFacts {
  /** False only if certainly no byte of the request was sent. */
  readonly wasSent: boolean;
  readonly isTimeout: boolean;
  /** The system's or undici's code, such as `ECONNREFUSED` or `UND_ERR_HEADERS_TIMEOUT`. */
  readonly code: string;
}

/** The only error of an exchange. Its message contains no URL and no header; `cause` may contain both. */
export class HttpFailure extends Error {
  readonly wasSent: boolean;
  readonly isTimeout: boolean;
  readonly code: string;

  constructor(
    readonly kind: HttpFailureKind,
    facts: HttpFailureFacts,
    cause?: unknown,
  ) {
    super(`${kind}: ${facts.code}`, { cause });
    this.name = 'HttpFailure';
    this.wasSent = facts.wasSent;
    this.isTimeout = facts.isTimeout;
    this.code = facts.code;
  }
}

/** Checks the name, not the class: the error may come from another copy of this module. */
export const isHttpFailure = (error: unknown): error is HttpFailure =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'HttpFailure';
