import { type BatchGrant, signBatchGrant } from '@gateway/contracts';
import { type HttpPools, isHttpFailure } from '@gateway/http';

/** A response of the edge, read whole. */
export interface EdgeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response that does not fit into a batch. Its headers say what it cost. */
export class ResponseTooLarge extends Error {
  constructor(readonly headers: EdgeResponse['headers']) {
    super('the response is too large for a batch');
  }
}

export interface EdgePost {
  readonly path: string;
  readonly body: Buffer;
  readonly idempotencyKey: string;
}

/** What a batch may do at the edge, until a time that each request moves on. */
export type BatchIdentity = Omit<BatchGrant, 'expiresAtMs'>;

export interface EdgeClientOptions {
  readonly url: string;
  readonly secret: string;
}

/** The edge waits so long for a response, then it returns the record of the request. */
const WAIT_SECONDS = 60;
const HEADERS_TIMEOUT_MS = (WAIT_SECONDS + 30) * 1_000;
const BODY_TIMEOUT_MS = 30_000;
const GRANT_MS = 5 * 60_000;
/** Images in base64. */
const RESPONSE_LIMIT_BYTES = 64 * 1024 * 1024;
/** The messages format requires it, and every other one ignores it. */
const ANTHROPIC_VERSION = '2023-06-01';

/** Requests of one batch at the edge. Rejects with a HttpFailure, or with ResponseTooLarge. */
export class EdgeClient {
  constructor(
    private readonly pools: HttpPools,
    private readonly options: EdgeClientOptions,
    private readonly identity: () => BatchIdentity,
  ) {}

  /** Sends a line. It runs once for its idempotency key, and neither this process nor the edge can lose its response. */
  post({ path, body, idempotencyKey }: EdgePost, signal: AbortSignal): Promise<EdgeResponse> {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
      prefer: `wait=${WAIT_SECONDS}`,
      ...(path.startsWith('/v1/messages') && { 'anthropic-version': ANTHROPIC_VERSION }),
    };
    return this.#send('POST', path, { headers, body }, signal);
  }

  get(path: string, signal: AbortSignal): Promise<EdgeResponse> {
    return this.#send('GET', path, { headers: {}, body: null }, signal);
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer | null },
    signal: AbortSignal,
  ): Promise<EdgeResponse> {
    const { url, secret } = this.options;
    const authorization = signBatchGrant(secret, { ...this.identity(), expiresAtMs: Date.now() + GRANT_MS });
    const response = await this.pools.send(
      { method, url: `${url}${path}`, headers: { ...headers, authorization }, body },
      { signal, headersTimeoutMs: HEADERS_TIMEOUT_MS, bodyTimeoutMs: BODY_TIMEOUT_MS },
    );
    const { status, headers: received } = response;
    const bytes = await response.bytes(RESPONSE_LIMIT_BYTES).catch((error: unknown) => {
      throw isHttpFailure(error) && error.kind === 'too_large' ? new ResponseTooLarge(received) : error;
    });
    return { status, headers: received, body: bytes };
  }
}
