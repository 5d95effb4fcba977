/**
 * What is known after a request failed.
 * - `connect`: nothing was sent (refused, no such host, TLS, no connection in time): it is safe to try again elsewhere.
 * - `ambiguous`: some of it was sent, so the upstream may have done the work and may charge for it.
 * - `aborted`: the caller's signal ended it; `wasSent` tells whether the upstream may have begun.
 * - `too_large`: the answer is longer than the caller allows.
 */
export type HttpFailureKind = 'connect' | 'ambiguous' | 'aborted' | 'too_large';

export interface HttpFailureFacts {
  /** False only if it is certain that not one byte of the request left. */
  readonly wasSent: boolean;
  readonly isTimeout: boolean;
  /** The system's or library's name of the cause, such as `ECONNREFUSED` or `UND_ERR_HEADERS_TIMEOUT`. */
  readonly code: string;
}

/** The only error of an exchange. Its message holds no address and no header; both can be in `cause`. */
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

/** By name, not by class: the error may come from another copy of this module. */
export const isHttpFailure = (error: unknown): error is HttpFailure =>
  typeof error === 'object' && error !== null && 'name' in error && error.name === 'HttpFailure';
