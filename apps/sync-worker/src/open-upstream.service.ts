import { ChannelFailover, classifyUpstreamFailure, type FailoverCall } from '@gateway/channels';
import type { UpstreamAttempt } from '@gateway/contracts';
import type { StreamReader } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { CallUpstream } from './call-upstream/call-upstream.service.js';
import type { Lane } from './lane.js';
import type { OpenedAnswer } from './opened-answer.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** One call as the spine follows it. */
export interface UpstreamCall {
  readonly lane: Lane;
  readonly accountId: string;
  /** Only what answers test keys may be asked. */
  readonly isTest: boolean;
  readonly signal: AbortSignal;
  readonly attempts: UpstreamAttempt[];
  /** The reader of the attempt under way: what it has metered if the call is cut off. */
  onReader(reader: StreamReader | undefined): void;
}

/** Opens the upstream's answer, on whichever channel gives it: nothing has gone to the client while it is tried. */
@Injectable()
export class OpenUpstream {
  constructor(
    private readonly channels: ChannelFailover,
    private readonly upstream: CallUpstream,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
  ) {}

  /** Throws a GatewayError with what the client is to hear, or the abort's reason. */
  async open({ lane, accountId, isTest, signal, attempts, onReader }: UpstreamCall): Promise<OpenedAnswer> {
    const { vendor, publicModel, wanted } = lane;
    const call: FailoverCall<OpenedAnswer> = {
      vendor,
      publicModel,
      accountId,
      isTest,
      ...(wanted !== undefined && { requiredChannel: wanted }),
      signal,
      attempts,
      run: (channel, record, release) =>
        this.#timed(channel.id, this.upstream.call({ lane, channel, signal, record, release, onReader })),
      isStillRunning: (answer) => answer.kind === 'stream',
      classifyFailure: classifyUpstreamFailure,
    };
    const tried = await this.channels.run(call);
    if ('error' in tried) throw tried.error;
    return tried.result;
  }

  async #timed(channel: string, opening: Promise<OpenedAnswer>): Promise<OpenedAnswer> {
    const stop = this.metrics.upstreamSeconds.startTimer({ channel });
    try {
      const answer = await opening;
      stop({ outcome: 'answered' });
      return answer;
    } catch (error) {
      stop({ outcome: 'failed' });
      throw error;
    }
  }
}
