import { ERRORS, type ErrorCode, type ErrorRow } from './error-table.js';

export interface GatewayErrorDetails {
  /** The field that is wrong, in the client's own spelling, such as `messages[0].role`. */
  readonly param?: string;
  /** How long the client should wait before the next try. */
  readonly retryAfterMs?: number;
  /** What was asked for may be under way all the same: whoever asks again may have it made, and pay for it, twice. */
  readonly mayHaveBegun?: true;
  /** An upstream's own 4xx answer, given to the client as it came. */
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

/** The one error class. Its message is shown to the client: it never holds a key, an account or an internal address. */
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

/** By code, not by class: an error may come from another copy of this module. */
export function isGatewayError(error: unknown): error is GatewayError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code in ERRORS;
}
