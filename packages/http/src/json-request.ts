import { HttpFailure } from './http-failure.js';
import type { HttpPools, HttpRequest } from './http-pools.js';

export interface JsonRequest {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: the request has no body. */
  readonly body?: unknown;
  /** Ends the exchange. Nothing else does, so it should include a timeout. */
  readonly signal: AbortSignal;
  readonly limitBytes?: number;
}

export interface JsonResponse {
  readonly status: number;
  /** Undefined if the response had no body. */
  readonly body: unknown;
}

const LIMIT_BYTES = 1024 * 1024;
const NO_TIMEOUT_MS = 0;

/** Exchanges JSON between our own services. Rejects with a HttpFailure, `ambiguous` if the response is not JSON. */
export async function jsonRequest(pools: HttpPools, request: JsonRequest): Promise<JsonResponse> {
  const { method, url, headers = {}, body, signal, limitBytes = LIMIT_BYTES } = request;
  const response = await pools.send(
    {
      method,
      url,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    },
    { signal, headersTimeoutMs: NO_TIMEOUT_MS, bodyTimeoutMs: NO_TIMEOUT_MS },
  );
  return { status: response.status, body: parse(await response.bytes(limitBytes)) };
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new HttpFailure('ambiguous', { wasSent: true, isTimeout: false, code: 'NOT_JSON' }, error);
  }
}
