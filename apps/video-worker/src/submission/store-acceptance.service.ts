import { setTimeout as sleep } from 'node:timers/promises';
import type { UpstreamAttempt } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TaskChannels } from '../task/task-channels.js';
import { LOGGER } from '../tokens.js';
import { AcceptTask } from './accept-task.service.js';

const RETRY_FOR_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** Retries an acceptance while PostgreSQL is unavailable: only this process knows the upstream's id. */
@Injectable()
export class StoreAcceptance {
  constructor(
    private readonly accepting: AcceptTask,
    private readonly channels: TaskChannels,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws the error of the last try, after it has logged the upstream's id. */
  async store(
    task: WorkerVideoTask,
    upstreamTaskId: string,
    attempts: readonly UpstreamAttempt[],
  ): Promise<WorkerVideoTask> {
    const channel = this.channels.channelOf(task);
    if (channel === undefined) throw new Error(`channel ${task.channelId} accepted a task but is not configured`);
    const untilMs = Date.now() + RETRY_FOR_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        return await this.accepting.accept(task, { upstreamTaskId, channel, attempts });
      } catch (error) {
        const { taskId } = task;
        if (Date.now() >= untilMs) {
          this.logger.error({ err: error, taskId, upstreamTaskId }, 'acceptance not stored, giving up');
          throw error;
        }
        this.logger.warn({ err: error, taskId }, 'acceptance not stored, retrying');
        await sleep(pauseMs);
      }
    }
  }
}
