import { isHttpFailure } from '@gateway/http';
import { Inject, Injectable } from '@nestjs/common';
import { WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import { isSuccess, SendRequest } from '../send-request.service.js';
import type { TaskCursor } from '../task-channels.js';

/** `refused`: it cannot be stopped any more, or never could. `unknown`: it may be stopped or not; ask again. */
export type CancelOutcome = 'stopped' | 'refused' | 'unknown';

/** Tells an upstream to stop a task. */
@Injectable()
export class CancelUpstream {
  constructor(
    private readonly requests: SendRequest,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  async cancel(upstreamTaskId: string, place: TaskCursor, stop: AbortSignal): Promise<CancelOutcome> {
    const { protocol, target, channelId } = place;
    const { cancel } = protocol;
    if (cancel === undefined) return 'refused';
    try {
      const call = { operation: 'cancel_task', channelId, timeoutMs: this.config.pollTimeoutMs, stop } as const;
      const answer = await this.requests.send(cancel.build(upstreamTaskId, target), call);
      if (isSuccess(answer)) return 'stopped';
      return cancel.isRefusal(answer) ? 'refused' : 'unknown';
    } catch (error) {
      stop.throwIfAborted();
      if (isHttpFailure(error)) return 'unknown';
      throw error;
    }
  }
}
