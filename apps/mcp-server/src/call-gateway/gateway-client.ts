import { type HttpPools, type HttpResponse, isHttpFailure } from '@gateway/http';
import type { CallerIdentity, Gateway, GatewayRequest, GatewayResponse, ResponseFacts } from '../gateway.js';
import { failureFromResponse, ToolFailure } from '../tool-failure.js';
import { sendWithRetry } from './send-with-retry.js';

export interface GatewayAddress {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Limit for the headers, and again for the body. */
  readonly timeoutMs: number;
  /** Largest response body. */
  readonly limitBytes: number;
}

const ERROR_LIMIT_BYTES = 256 * 1024;

/** HTTP client for one tool call. Each request carries the caller's own key: this server has none. */
export class GatewayClient implements Gateway {
  constructor(
    private readonly pools: HttpPools,
    private readonly address: GatewayAddress,
    private readonly identity: CallerIdentity,
    private readonly signal: AbortSignal,
  ) {}

  async request(request: GatewayRequest): Promise<GatewayResponse> {
    const response = await withToolFailures(() => this.#send(request));
    const { status, headers } = response;
    if (status < 200 || status > 299) {
      throw failureFromResponse(status, headers, await withToolFailures(() => response.bytes(ERROR_LIMIT_BYTES)));
    }
    const bytes = () => withToolFailures(() => response.bytes(this.address.limitBytes));
    return {
      status,
      contentType: headers['content-type']?.split(';')[0] ?? '',
      facts: factsOf(headers),
      accountId: headers['openai-organization'],
      maySpend: headers['x-may-spend'] !== 'false',
      body: bodyOf(response),
      bytes,
      json: async <Body>() => parseJson<Body>(await bytes(), headers['x-request-id']),
    };
  }

  #send({ method, path, json, encoded, headers, isReadOnly }: GatewayRequest): Promise<HttpResponse> {
    const { apiKey, address, traceparent, idempotencyKey } = this.identity;
    const { timeoutMs, url } = this.address;
    const contentType = encoded?.contentType ?? (json === undefined ? undefined : 'application/json');
    const request = {
      method,
      url: `${url}${path}`,
      headers: {
        authorization: `Bearer ${apiKey}`,
        traceparent,
        'x-forwarded-for': address,
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...(idempotencyKey !== undefined && method === 'POST' && { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      body: encoded?.bytes ?? (json === undefined ? null : JSON.stringify(json)),
    };
    const options = { signal: this.signal, headersTimeoutMs: timeoutMs, bodyTimeoutMs: timeoutMs };
    return sendWithRetry(() => this.pools.send(request, options), method === 'GET' || isReadOnly === true);
  }
}

async function* bodyOf(response: HttpResponse): AsyncGenerator<Buffer, void, void> {
  try {
    yield* response.body;
  } catch (error) {
    throw asToolFailure(error, response.headers['x-request-id']);
  }
}

async function withToolFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asToolFailure(error, undefined);
  }
}

const factsOf = (headers: HttpResponse['headers']): ResponseFacts => ({
  request_id: headers['x-request-id'] ?? '',
  ...(headers['x-cost-usd'] !== undefined && { cost_usd: headers['x-cost-usd'] }),
  ...(headers['x-balance-usd'] !== undefined && { balance_usd: headers['x-balance-usd'] }),
});

function parseJson<Body>(bytes: Buffer, requestId: string | undefined): Body {
  try {
    return JSON.parse(bytes.toString('utf8')) as Body;
  } catch {
    throw new ToolFailure('upstream_error', 'The response is not JSON.', { requestId });
  }
}

/** Translates a connection failure into the gateway's own error codes. Other errors stay as they are. */
function asToolFailure(error: unknown, requestId: string | undefined): unknown {
  if (!isHttpFailure(error)) return error;
  if (error.kind === 'too_large') {
    return new ToolFailure('upstream_error', 'The response is too large for a tool result.', { requestId });
  }
  if (error.kind === 'aborted')
    return new ToolFailure('client_closed_request', 'The call was cancelled.', { requestId });
  if (error.isTimeout)
    return new ToolFailure('upstream_timeout', 'The gateway did not respond in time.', { requestId });
  return new ToolFailure('service_unavailable', 'The gateway is not available, try again shortly.', { requestId });
}
