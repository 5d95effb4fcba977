interface ErrorBody {
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

/** A refusal or a failure of the gateway, in the words of its body. */
export class GatewayError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field of the request that is wrong, such as `caps[0].limit`; null: no single field. */
  readonly param: string | null;
  readonly requestId: string | null;
  /** How long to wait before the same request may succeed. Null: the server does not say. */
  readonly retryAfterMs: number | null;

  constructor(response: Response, text: string) {
    const { error } = bodyOf(text);
    super(error?.message ?? `The server answered ${response.status}.`);
    this.name = 'GatewayError';
    this.status = response.status;
    this.code = error?.code ?? 'unknown';
    this.param = error?.param ?? null;
    this.requestId = response.headers.get('x-request-id');
    const seconds = response.headers.get('retry-after');
    this.retryAfterMs = seconds === null ? null : Number(seconds) * MS;
  }
}
