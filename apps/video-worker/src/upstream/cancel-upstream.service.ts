import { isHttpFailure } from '@gateway/http';
import { Inject, Injectable } from '@nestjs/common';
import type { TaskChannel } from '../task/task-channels.js';
import { WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { isSuccess, UpstreamClient } from './upstream-client.service.js';

/** `refused`: the upstream cannot cancel the task. `unknown`: it may have cancelled it; try again. */
export type CancelOutcome = 'stopped' | 'refused' | 'unknown';

/** Requests that an upstream cancels a task. */
@Injectable()
export class CancelUpstream {
  constructor(
    private readonly client: UpstreamClient,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  async cancel(upstreamTaskId: string, channel: TaskChannel, stop: AbortSignal): Promise<CancelOutcome> {
    const { protocol, target, channelId } = channel;
    const { cancel } = protocol;
    if (cancel === undefined) return 'refused';
    try {
      const operation = { operation: 'cancel_task', channelId, timeoutMs: this.config.pollTimeoutMs, stop } as const;
      const response = await this.client.send(cancel.build(upstreamTaskId, target), operation);
      if (isSuccess(response)) return 'stopped';
      return cancel.isRefusal(response) ? 'refused' : 'unknown';
    } catch (error) {
      stop.throwIfAborted();
      if (isHttpFailure(error)) return 'unknown';
      throw error;
    }
  }
}
