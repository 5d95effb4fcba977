import { upstreamNameOf } from '@gateway/catalogue';
import { type AttemptRecord, UpstreamRejection } from '@gateway/channels';
import type { Changes } from '@gateway/contracts';
import type { HttpPools, HttpResponse } from '@gateway/http';
import type { ClassifiedFailure, StreamReader, Target } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import type { CalledAdapter } from '../model-adapter.js';
import type { OpenedResponse } from '../opened-response.js';
import { HTTP_POOLS, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { DownloadResults } from './download-results.service.js';
import { readResponse, type TakeRoom } from './read-response.js';
import { withoutCredential } from './without-credential.js';

const FAILURE_BODY_LIMIT_BYTES = 1024 * 1024;
/** Receipts keep it for ever. A vendor's own is shorter. */
const MAX_ID_CHARACTERS = 256;

/** One call to one channel. */
export interface ChannelRequest {
  readonly adapter: CalledAdapter;
  readonly channel: Omit<Target, 'upstreamModel'>;
  readonly signal: AbortSignal;
  /** `call` sets the upstream's status and id. */
  readonly record: AttemptRecord;
  /** Frees the channel's slot. For a stream, its reader calls it at the end. */
  readonly release: () => void;
  /** True: the upstream has the request. False: it rejected the request. */
  onSent(wasSent: boolean): void;
  /** What the adapter changes in the request, before it is sent. */
  onChanges(changes: Changes | undefined): void;
  onReader(reader: StreamReader | undefined): void;
  readonly takeRoom: TakeRoom;
}

/** Sends one HTTP request and reads the response until it proves valid. Never retries. */
@Injectable()
export class CallUpstream {
  constructor(
    @Inject(HTTP_POOLS) private readonly http: HttpPools,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    private readonly downloads: DownloadResults,
  ) {}

  /** The upstream's name for the model, unless the configuration overrides it. */
  upstreamModelOf({ publicModel: id, servedBy, upstreamModel }: CalledAdapter): string {
    return upstreamNameOf({ id, servedBy, upstreamModel }, this.config.upstreamModelOverrides);
  }

  /** Throws UpstreamRejection, HttpFailure or GatewayError; `classifyUpstreamFailure` classifies each. */
  async call(request: ChannelRequest): Promise<OpenedResponse> {
    const { adapter, channel, signal, record, release, onSent, onChanges, onReader, takeRoom } = request;
    const { baseUrl, credential } = channel;
    const upstreamModel = this.upstreamModelOf(adapter);
    const { changes, ...wire } = await adapter.buildRequest({ baseUrl, credential, upstreamModel });
    onChanges(changes);
    const sent = await this.http.send(wire, {
      signal,
      headersTimeoutMs: this.config.upstreamHeadersTimeoutMs,
      bodyTimeoutMs: this.config.streamIdleTimeoutMs,
      onSent: () => onSent(true),
    });
    const response = withoutCredential(sent, credential);
    record.status = response.status;
    if (response.status < 200 || response.status > 299) {
      onSent(false);
      throw new UpstreamRejection(await readFailure(response, adapter));
    }
    onReader(undefined);
    const read = await readResponse(response, adapter, { release, onReader, takeRoom });
    const opened = changes === undefined ? read : { ...read, changes };
    const upstreamId = opened.kind === 'unary' ? opened.upstreamId : opened.reader.upstreamId;
    if (upstreamId !== undefined) record.upstreamId = upstreamId.slice(0, MAX_ID_CHARACTERS);
    if (opened.kind === 'unary' && opened.vendorCostNanoUsd !== undefined) {
      record.vendorCostNanoUsd = opened.vendorCostNanoUsd;
    }
    if (opened.kind === 'stream' || adapter.kind === 'stream') return opened;
    if (adapter.finishReply !== undefined) return { ...opened, ...(await adapter.finishReply(opened, record.channel)) };
    if (adapter.completeReply === undefined) return opened;
    return {
      ...opened,
      ...(await adapter.completeReply(opened, (url) => this.downloads.fetch(url, baseUrl, { signal, takeRoom }))),
    };
  }
}

async function readFailure(response: HttpResponse, adapter: CalledAdapter): Promise<ClassifiedFailure> {
  const body = await response.bytes(FAILURE_BODY_LIMIT_BYTES);
  return adapter.readFailure({ status: response.status, headers: response.headers, body });
}
