import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { Failpoints } from '../failpoints.js';
import type { WorkerMetrics } from '../metrics.js';
import type { TaskChannel } from '../task/task-channels.js';
import { FAILPOINTS, WORKER_METRICS } from '../tokens.js';
import { ChannelThrottle } from '../upstream/channel-throttle.service.js';
import { FetchStatus, type StatusResult } from '../upstream/fetch-status.service.js';

/** The throttle has no slot soon, so no request was sent. */
export interface Postponed {
  readonly kind: 'not_yet';
  readonly waitMs: number;
}

/** Fetches a task's status within the channel's rate, and cools the channel down if its vendor throttles. */
@Injectable()
export class FetchThrottledStatus {
  constructor(
    private readonly throttle: ChannelThrottle,
    private readonly status: FetchStatus,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
  ) {}

  async fetch(
    { vendor }: WorkerVideoTask,
    upstreamTaskId: string,
    channel: TaskChannel,
    stop: AbortSignal,
  ): Promise<StatusResult | Postponed> {
    const { retryAfterMs } = await this.throttle.waitForSlot(vendor, channel.channelId, stop);
    if (retryAfterMs > 0) return { kind: 'not_yet', waitMs: retryAfterMs };
    this.failpoints.reach('before-poll');
    const status = await this.status.fetch(upstreamTaskId, channel, stop);
    this.failpoints.reach('after-poll');
    this.metrics.polls.inc({ vendor, outcome: status.kind === 'reading' ? status.reading.state : status.kind });
    if (status.kind === 'throttled') await this.throttle.coolDown(channel.channelId, status.waitMs);
    return status;
  }
}
