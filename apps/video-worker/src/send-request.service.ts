import type { HttpPools } from '@gateway/http';
import type { WireRequest } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { HTTP_POOLS } from './doors.js';

/** Records of tasks are small; this is far above any of them. */
const ANSWER_LIMIT_BYTES = 8 * 1024 * 1024;

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
  constructor(@Inject(HTTP_POOLS) private readonly http: HttpPools) {}

  /** Throws a HttpFailure. */
  async send(request: WireRequest, timeoutMs: number, stop?: AbortSignal): Promise<UpstreamAnswer> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const answer = await this.http.send(request, {
      signal: stop === undefined ? timeout : AbortSignal.any([timeout, stop]),
      headersTimeoutMs: timeoutMs,
      bodyTimeoutMs: timeoutMs,
    });
    return { status: answer.status, headers: answer.headers, body: await answer.bytes(ANSWER_LIMIT_BYTES) };
  }
}
