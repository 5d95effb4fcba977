import { HttpFailure } from './http-failure.js';
import type { HttpPools, HttpRequest } from './http-pools.js';

export interface JsonRequest {
  readonly method: HttpRequest['method'];
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: the request has no body. */
  readonly body?: unknown;
  /** Ends the exchange. Nothing else does, so it should know a time. */
  readonly signal: AbortSignal;
  readonly limitBytes?: number;
}

export interface JsonResponse {
  readonly status: number;
  /** Undefined if the answer had no body. */
  readonly body: unknown;
}

const LIMIT_BYTES = 1024 * 1024;
const NEVER_MS = 0;

/** One exchange of JSON between our own services. Rejects with a HttpFailure, `ambiguous` if the answer is not JSON. */
export async function jsonRequest(pools: HttpPools, request: JsonRequest): Promise<JsonResponse> {
  const { method, url, headers = {}, body, signal, limitBytes = LIMIT_BYTES } = request;
  const answer = await pools.send(
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
    { signal, headersTimeoutMs: NEVER_MS, bodyTimeoutMs: NEVER_MS },
  );
  return { status: answer.status, body: parse(await answer.bytes(limitBytes)) };
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new HttpFailure('ambiguous', { wasSent: true, isTimeout: false, code: 'NOT_JSON' }, error);
  }
}
