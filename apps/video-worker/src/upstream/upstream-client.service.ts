import type { HttpPools } from '@gateway/http';
import type { Tracing } from '@gateway/observability';
import type { WireRequest } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { HTTP_POOLS, TRACING } from '../tokens.js';

/** Far above the size of any task record. */
const RESPONSE_LIMIT_BYTES = 8 * 1024 * 1024;

/** What a request does, in the terms of OpenTelemetry's conventions where they exist. */
export interface UpstreamOperation {
  readonly operation: 'generate_content' | 'get_task' | 'cancel_task' | 'list_tasks';
  /** Set for submissions only. */
  readonly model?: string;
  readonly channelId: string;
  readonly timeoutMs: number;
  readonly stop?: AbortSignal;
}

/** A complete response of an upstream. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export const isSuccess = ({ status }: UpstreamResponse): boolean => status >= 200 && status <= 299;

/** Sends one request and reads the complete response within one time-out. It never retries. */
@Injectable()
export class UpstreamClient {
  constructor(
    @Inject(HTTP_POOLS) private readonly http: HttpPools,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /** Throws an HttpFailure. */
  send(request: WireRequest, operation: UpstreamOperation): Promise<UpstreamResponse> {
    const { operation: name, model, channelId } = operation;
    const attributes = {
      'gen_ai.operation.name': name,
      'gen_ai.request.model': model,
      'gateway.channel': channelId,
      'http.request.method': request.method,
    };
    const spanName = model === undefined ? name : `${name} ${model}`;
    return this.tracing.withSpan(spanName, { role: 'client', attributes }, async (span) => {
      const response = await this.#send(request, operation);
      span.update({
        attributes: { 'http.response.status_code': response.status },
        ...(!isSuccess(response) && { errorType: String(response.status) }),
      });
      return response;
    });
  }

  async #send(request: WireRequest, { timeoutMs, stop }: UpstreamOperation): Promise<UpstreamResponse> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await this.http.send(request, {
      signal: stop === undefined ? timeout : AbortSignal.any([timeout, stop]),
      headersTimeoutMs: timeoutMs,
      bodyTimeoutMs: timeoutMs,
    });
    return { status: response.status, headers: response.headers, body: await response.bytes(RESPONSE_LIMIT_BYTES) };
  }
}
