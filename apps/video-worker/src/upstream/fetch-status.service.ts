import { hideCredential } from '@gateway/channels';
import { isGatewayError, type TaskReading } from '@gateway/contracts';
import { isHttpFailure } from '@gateway/http';
import { Inject, Injectable } from '@nestjs/common';
import type { TaskChannel } from '../task/task-channels.js';
import { WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { isSuccess, UpstreamClient } from './upstream-client.service.js';

/** The upstream's reading of a task, or why there is none. */
export type StatusResult =
  | { readonly kind: 'reading'; readonly reading: TaskReading }
  | { readonly kind: 'throttled'; readonly waitMs: number }
  | { readonly kind: 'failed'; readonly code: string };

const DEFAULT_COOLDOWN_MS = 1_000;
/** No task may pass its deadline unpolled, whatever a vendor asks for. */
const MAX_COOLDOWN_MS = 60_000;

/** Requests a task's status from its upstream. A failed request reveals nothing about the task. */
@Injectable()
export class FetchStatus {
  constructor(
    private readonly client: UpstreamClient,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** Throws the stop's reason, or a bug of this process. */
  async fetch(
    upstreamTaskId: string,
    { protocol, target, channelId }: TaskChannel,
    stop: AbortSignal,
  ): Promise<StatusResult> {
    try {
      const request = protocol.buildPoll(upstreamTaskId, target);
      const timeoutMs = this.config.pollTimeoutMs;
      const response = await this.client.send(request, { operation: 'get_task', channelId, timeoutMs, stop });
      if (isSuccess(response)) {
        return { kind: 'reading', reading: protocol.readStatus(response.body, response.status) };
      }
      const body = hideCredential(response.body, target.credential);
      const failure = protocol.readPollFailure({ ...response, body });
      if ('state' in failure) return { kind: 'reading', reading: failure };
      if (failure.kind === 'throttled') {
        return { kind: 'throttled', waitMs: Math.min(failure.retryAfterMs ?? DEFAULT_COOLDOWN_MS, MAX_COOLDOWN_MS) };
      }
      return { kind: 'failed', code: failure.error.code };
    } catch (error) {
      stop.throwIfAborted();
      if (isHttpFailure(error) || isGatewayError(error)) return { kind: 'failed', code: String(error.code) };
      throw error;
    }
  }
}
