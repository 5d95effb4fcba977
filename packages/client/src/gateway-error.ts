/** The body of an error, as far as it is read. */
export interface ErrorBody {
  readonly error?: { readonly message?: string; readonly code?: string; readonly param?: string | null };
}

const bodyOf = (text: string): ErrorBody => {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    // A proxy between client and server answered in its own form.
    return {};
  }
};

const MS = 1_000;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** What the headers of a failed response say. */
export interface FailureHeaders {
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
}

/** A refusal or a failure of the gateway, in the words of its body. */
export class GatewayError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field of the request that is wrong, such as `caps[0].limit`; null: no single field. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** How long to wait before the same request may succeed. Null: the server does not say. */
  readonly retryAfterMs: number | null;

  constructor(status: number, { error }: ErrorBody, { requestId = null, retryAfterMs = null }: FailureHeaders = {}) {
    super(error?.message ?? `The server answered ${status}.`);
    this.name = 'GatewayError';
    this.status = status;
    this.code = error?.code ?? 'unknown';
    this.param = error?.param ?? null;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }

  /** The same request may succeed later: it came too often, or the server has failed. */
  get isTransient(): boolean {
    return this.status === TOO_MANY_REQUESTS || this.status >= SERVER_ERROR;
  }
}

/** Null also for a date, which a proxy may send. */
function retryAfterIn(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * MS : null;
}

/** The error of a response with a status from 400 on. `text` is its body. */
export const errorOf = ({ status, headers }: Response, text: string): GatewayError =>
  new GatewayError(status, bodyOf(text), {
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterIn(headers),
  });
