import { ERRORS, type ErrorCode } from '@gateway/contracts';

export interface ToolFailureDetails {
  /** Of the gateway's answer: whoever asks for help names it. */
  readonly requestId?: string | undefined;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Why a tool gave no result, for the model that called it: the gateway's code and words. An upstream's own refusal has
 * whatever code the upstream gave it.
 */
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

/** The arguments make no sense: nothing was asked of the gateway. Begins with the argument's name, as the gateway's own refusals do. */
export const wrongArgument = (name: string, expected: string): ToolFailure =>
  new ToolFailure('invalid_request', `'${name}': ${expected}`, { status: ERRORS.invalid_request.status });
