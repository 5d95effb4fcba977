import { ChannelFailover, classifyUpstreamFailure, type FailoverCall } from '@gateway/channels';
import type { Changes, UpstreamAttempt } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import type { CalledAdapter } from '../model-adapter.js';
import type { WorkerMetrics } from '../observability/metrics.js';
import type { OpenedResponse } from '../opened-response.js';
import { WORKER_METRICS } from '../tokens.js';
import { CallUpstream } from './call-upstream.service.js';
import type { TakeRoom } from './read-response.js';

export interface UpstreamRequest {
  readonly adapter: CalledAdapter;
  readonly accountId: string;
  /** True: only the channels of test keys may be called. */
  readonly isTest: boolean;
  readonly signal: AbortSignal;
  /** Receives one record for each upstream call. */
  readonly attempts: UpstreamAttempt[];
  /** True: the upstream has the request. False: it rejected the request. */
  onSent(wasSent: boolean): void;
  /** What the adapter changes in the request of the current attempt. */
  onChanges(changes: Changes | undefined): void;
  /** Receives the reader of the current attempt. It meters an attempt that breaks off. */
  onReader(reader: StreamReader | undefined): void;
  readonly takeRoom: TakeRoom;
}

/** Calls an upstream on one of its channels, and on another one if the first call was certainly not billed. */
@Injectable()
export class CallWithFailover {
  constructor(
    private readonly failover: ChannelFailover,
    private readonly upstream: CallUpstream,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
  ) {}

  /** Throws a GatewayError with the client's error, or the reason of the signal's abort. */
  async open(request: UpstreamRequest): Promise<OpenedResponse> {
    const { adapter, accountId, isTest, signal, attempts, ...callbacks } = request;
    const { vendor, publicModel, requiredChannel } = adapter;
    const call: FailoverCall<OpenedResponse> = {
      vendor,
      publicModel,
      upstreamModel: this.upstream.upstreamModelOf(adapter),
      accountId,
      isTest,
      ...(requiredChannel !== undefined && { requiredChannel }),
      signal,
      attempts,
      run: (channel, record, release) =>
        this.#timed(channel.id, this.upstream.call({ ...callbacks, adapter, channel, signal, record, release })),
      isStillRunning: (response) => response.kind === 'stream',
      classifyFailure: classifyUpstreamFailure,
    };
    const outcome = await this.failover.run(call);
    if ('result' in outcome) return outcome.result;
    const fallback = outcome.verdict?.isForeignContent === true ? adapter.withoutReasoning?.() : undefined;
    if (fallback === undefined) throw outcome.error;
    return this.open({ ...request, adapter: fallback });
  }

  async #timed(channel: string, opening: Promise<OpenedResponse>): Promise<OpenedResponse> {
    const stop = this.metrics.upstreamSeconds.startTimer({ channel });
    try {
      const response = await opening;
      stop({ outcome: 'answered' });
      return response;
    } catch (error) {
      stop({ outcome: 'failed' });
      throw error;
    }
  }
}
