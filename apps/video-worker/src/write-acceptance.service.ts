import { setTimeout as sleep } from 'node:timers/promises';
import type { UpstreamAttempt } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { AcceptTask } from './accept-task.service.js';
import { LOGGER } from './doors.js';
import { TaskChannels } from './task-channels.js';

/** What an upstream has taken is worth waiting for Postgres. */
const TRY_FOR_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Has an acceptance written down although Postgres may be away for a while: nobody else knows the upstream's id. */
@Injectable()
export class WriteAcceptance {
  constructor(
    private readonly accepting: AcceptTask,
    private readonly channels: TaskChannels,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws what the last try failed of; the upstream's id is in the log then. */
  async write(
    task: WorkerVideoTask,
    upstreamTaskId: string,
    attempts: readonly UpstreamAttempt[],
  ): Promise<WorkerVideoTask> {
    const place = this.channels.placeOf(task);
    if (place === undefined) throw new Error(`no channel ${task.channelId} although it was just asked`);
    const untilMs = Date.now() + TRY_FOR_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await this.accepting.accept(task, { upstreamTaskId, place, attempts });
      } catch (error) {
        const { taskId } = task;
        if (Date.now() >= untilMs) {
          this.logger.error({ err: error, taskId, upstreamTaskId }, 'a task that was taken cannot be written down');
          throw error;
        }
        this.logger.warn({ err: error, taskId }, 'an acceptance is written again');
        await sleep(pauseMs);
      }
    }
  }
}
