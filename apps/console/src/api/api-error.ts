interface ErrorBody {
  readonly error?: { readonly message?: string; readonly code?: string; readonly param?: string | null };
}

/** A refusal or a failure of the account interface, in the words of its body. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field of the request that is wrong, such as `caps[0].limit`; null: no single field. */
  readonly param: string | null;
  readonly requestId: string | null;

  constructor(status: number, body: ErrorBody, requestId: string | null) {
    super(body.error?.message ?? `The server answered ${status}.`);
    this.status = status;
    this.code = body.error?.code ?? 'unknown';
    this.param = body.error?.param ?? null;
    this.requestId = requestId;
  }
}

/** The server did not answer: it is away, or the network is. */
export class Unreachable extends Error {}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;
