import { type HttpPools, type HttpResponse, isHttpFailure } from '@gateway/http';
import { readFailure } from '../failure-of.js';
import type { AnswerFacts, AskedBy, Gateway, GatewayAnswer, GatewayRequest } from '../gateway.js';
import { ToolFailure } from '../tool-failure.js';
import { sendWhileSafe } from './send-while-safe.js';

export interface GatewayAddress {
  readonly url: string;
  readonly timeoutMs: number;
  readonly limitBytes: number;
}

const ERROR_LIMIT_BYTES = 256 * 1024;

/** The gateway for one tool call: every request carries the caller's own key, and this server has none. */
export class GatewayClient implements Gateway {
  constructor(
    private readonly pools: HttpPools,
    private readonly address: GatewayAddress,
    private readonly asker: AskedBy,
    private readonly signal: AbortSignal,
  ) {}

  async ask(request: GatewayRequest): Promise<GatewayAnswer> {
    const answer = await this.#explained(() => this.#send(request));
    const { status, headers } = answer;
    if (status < 200 || status > 299) {
      throw readFailure(status, headers, await this.#explained(() => answer.bytes(ERROR_LIMIT_BYTES)));
    }
    const bytes = () => this.#explained(() => answer.bytes(this.address.limitBytes));
    return {
      contentType: headers['content-type']?.split(';')[0] ?? '',
      facts: factsOf(headers),
      body: this.#bodyOf(answer),
      bytes,
      json: async <Body>() => parse<Body>(await bytes(), headers['x-request-id']),
    };
  }

  #send({ method, path, json, encoded, headers, onlyReads }: GatewayRequest): Promise<HttpResponse> {
    const { apiKey, address, traceparent, idempotencyKey } = this.asker;
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
    return sendWhileSafe(() => this.pools.send(request, options), method === 'GET' || onlyReads === true);
  }

  async *#bodyOf(answer: HttpResponse): AsyncGenerator<Buffer, void, void> {
    try {
      yield* answer.body;
    } catch (error) {
      throw explain(error, answer.headers['x-request-id']);
    }
  }

  async #explained<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw explain(error, undefined);
    }
  }
}

const factsOf = (headers: HttpResponse['headers']): AnswerFacts => ({
  request_id: headers['x-request-id'] ?? '',
  ...(headers['x-cost-usd'] !== undefined && { cost_usd: headers['x-cost-usd'] }),
  ...(headers['x-balance-usd'] !== undefined && { balance_usd: headers['x-balance-usd'] }),
});

function parse<Body>(bytes: Buffer, requestId: string | undefined): Body {
  try {
    return JSON.parse(bytes.toString('utf8')) as Body;
  } catch {
    throw new ToolFailure('upstream_error', 'The answer is not JSON.', { requestId });
  }
}

/** A failure of the connection, in the words that the gateway itself has for it. */
function explain(error: unknown, requestId: string | undefined): unknown {
  if (!isHttpFailure(error)) return error;
  if (error.kind === 'too_large') {
    return new ToolFailure('upstream_error', 'The answer is too large for a tool result.', { requestId });
  }
  if (error.kind === 'aborted')
    return new ToolFailure('client_closed_request', 'The call was cancelled.', { requestId });
  if (error.isTimeout) return new ToolFailure('upstream_timeout', 'The gateway did not answer in time.', { requestId });
  return new ToolFailure('service_unavailable', 'The gateway is not available, try again shortly.', { requestId });
}
