import { ERRORS, type ErrorCode, type ErrorRow } from './error-table.js';

export interface GatewayErrorDetails {
  /** The invalid field in the client's spelling, such as `messages[0].role`. */
  readonly param?: string;
  /** Milliseconds that the client should wait before a retry. */
  readonly retryAfterMs?: number;
  /** The request may still be running upstream: a retry may run, and be charged, twice. */
  readonly mayHaveBegun?: true;
  /** A 4xx response of the upstream: its status for the client, and its body for `error.upstream`. */
  readonly passThrough?: PassThroughResponse;
}

export interface PassThroughResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A gateway error as it crosses processes: match on `code`, never on the class. */
export interface ErrorRecord extends GatewayErrorDetails {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The only error class. Clients see its message: it must not contain a key, an account or an internal address. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly details: GatewayErrorDetails;

  constructor(code: ErrorCode, message: string, details: GatewayErrorDetails = {}) {
    super(message);
    this.name = 'GatewayError';
    this.code = code;
    this.details = details;
  }

  get row(): ErrorRow {
    return ERRORS[this.code];
  }

  toRecord(): ErrorRecord {
    return { code: this.code, message: this.message, ...this.details };
  }

  static fromRecord({ code, message, ...details }: ErrorRecord): GatewayError {
    return new GatewayError(code, message, details);
  }
}

/** Checks the code, not the class: the error may come from another copy of this module. */
export function isGatewayError(error: unknown): error is GatewayError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code in ERRORS;
}
