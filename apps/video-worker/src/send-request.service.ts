import type { HttpPools } from '@gateway/http';
import type { Tracing } from '@gateway/observability';
import type { WireRequest } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { HTTP_POOLS, TRACING } from './doors.js';

/** Records of tasks are small; this is far above any of them. */
const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024;

/** What an upstream is asked, in the words of OpenTelemetry's conventions where they have one. */
export interface UpstreamCall {
  readonly operation: 'generate_content' | 'get_task' | 'cancel_task' | 'list_tasks';
  /** Of a new task; the others are known already. */
  readonly model?: string;
  readonly channelId: string;
  readonly timeoutMs: number;
  readonly stop?: AbortSignal;
}

/** An upstream's whole answer. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export const isSuccess = ({ status }: UpstreamAnswer): boolean => status >= 200 && status <= 299;

/** Sends one request and reads all of its answer, within a time for both together. It never tries twice. */
@Injectable()
export class SendRequest {
  constructor(
    @Inject(HTTP_POOLS) private readonly http: HttpPools,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /** Throws a HttpFailure. */
  send(request: WireRequest, call: UpstreamCall): Promise<UpstreamAnswer> {
    const { operation, model, channelId } = call;
    const attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      'gateway.channel': channelId,
      'http.request.method': request.method,
    };
    const name = model === undefined ? operation : `${operation} ${model}`;
    return this.tracing.withSpan(name, { role: 'client', attributes }, async (span) => {
      const answer = await this.#send(request, call);
      span.update({
        attributes: { 'http.response.status_code': answer.status },
        ...(!isSuccess(answer) && { errorType: String(answer.status) }),
      });
      return answer;
    });
  }

  async #send(request: WireRequest, { timeoutMs, stop }: UpstreamCall): Promise<UpstreamAnswer> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const answer = await this.http.send(request, {
      signal: stop === undefined ? timeout : AbortSignal.any([timeout, stop]),
      headersTimeoutMs: timeoutMs,
      bodyTimeoutMs: timeoutMs,
    });
    return { status: answer.status, headers: answer.headers, body: await answer.bytes(ANSWER_LIMIT_BYTES) };
  }
}
