import { type AttemptRecord, UpstreamRejection } from '@gateway/channels';
import type { HttpPools, HttpResponse } from '@gateway/http';
import type { ReadFailure, StreamReader, Target } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { HTTP_POOLS } from '../http-door.js';
import type { Lane } from '../lane.js';
import type { OpenedAnswer } from '../opened-answer.js';
import { WORKER_CONFIG, type WorkerConfig } from '../worker-config.js';
import { openResponse } from './open-answer.js';

const FAILURE_BODY_LIMIT_BYTES = 1024 * 1024;

/** One call to one channel. */
export interface FailoverCall {
  readonly lane: Lane;
  readonly channel: Omit<Target, 'upstreamModel'>;
  readonly signal: AbortSignal;
  readonly record: AttemptRecord;
  /** Goes with a stream: call it when the stream is over. */
  readonly release: () => void;
  onReader(reader: StreamReader | undefined): void;
}

/** Sends one request and reads its answer up to where it is known to be one. It never tries twice. */
@Injectable()
export class CallUpstream {
  constructor(
    @Inject(HTTP_POOLS) private readonly http: HttpPools,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** Throws UpstreamRejection, a HttpFailure or a GatewayError: `classifyUpstreamFailure` says what each means. */
  async call({ lane, channel, signal, record, release, onReader }: FailoverCall): Promise<OpenedAnswer> {
    const { baseUrl, credential } = channel;
    const upstreamModel = this.config.upstreamModelOverrides[lane.publicModel] ?? lane.upstreamModel;
    const answer = await this.http.send(lane.buildRequest({ baseUrl, credential, upstreamModel }), {
      signal,
      headersTimeoutMs: this.config.upstreamHeadersTimeoutMs,
      bodyTimeoutMs: this.config.streamIdleTimeoutMs,
    });
    record.status = answer.status;
    if (answer.status < 200 || answer.status > 299) throw new UpstreamRejection(await readRefusal(answer, lane));
    onReader(undefined);
    const opened = await openResponse(answer, lane, release, onReader);
    const upstreamId = opened.kind === 'whole' ? opened.upstreamId : opened.reader.upstreamId;
    if (upstreamId !== undefined) record.upstreamId = upstreamId;
    if (opened.kind === 'stream' || lane.fromChannel === undefined) return opened;
    return { ...opened, ...lane.fromChannel(opened, record.channel) };
  }
}

async function readRefusal(answer: HttpResponse, lane: Lane): Promise<ReadFailure> {
  const body = await answer.bytes(FAILURE_BODY_LIMIT_BYTES);
  return lane.readFailure({ status: answer.status, headers: answer.headers, body });
}
