import { isGatewayError, type TaskReading } from '@gateway/contracts';
import { isHttpFailure } from '@gateway/http';
import { Inject, Injectable } from '@nestjs/common';
import { WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import { isSuccess, SendRequest } from '../send-request.service.js';
import type { TaskCursor } from '../task-channels.js';

/** What asking for a task has brought: what the upstream says of it, or why nothing is known. */
export type Look =
  | { readonly kind: 'reading'; readonly reading: TaskReading }
  | { readonly kind: 'throttled'; readonly waitMs: number }
  | { readonly kind: 'failed'; readonly code: string };

const USUAL_REST_MS = 1_000;

/** Asks an upstream how a task is. A failure of the asking says nothing about the task. */
@Injectable()
export class AskTask {
  constructor(
    private readonly requests: SendRequest,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** Throws only what is a fault of ours. */
  async ask(upstreamTaskId: string, { protocol, target, channelId }: TaskCursor, stop: AbortSignal): Promise<Look> {
    try {
      const request = protocol.buildPoll(upstreamTaskId, target);
      const timeoutMs = this.config.pollTimeoutMs;
      const answer = await this.requests.send(request, { operation: 'get_task', channelId, timeoutMs, stop });
      if (isSuccess(answer)) return { kind: 'reading', reading: protocol.readStatus(answer.body) };
      const failure = protocol.readPollFailure(answer);
      if ('state' in failure) return { kind: 'reading', reading: failure };
      if (failure.kind === 'throttled') return { kind: 'throttled', waitMs: failure.retryAfterMs ?? USUAL_REST_MS };
      return { kind: 'failed', code: failure.error.code };
    } catch (error) {
      stop.throwIfAborted();
      if (isHttpFailure(error) || isGatewayError(error)) return { kind: 'failed', code: String(error.code) };
      throw error;
    }
  }
}
