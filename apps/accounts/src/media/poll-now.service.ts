import type { StoredVideoTask } from '@gateway/contracts';
import { type Logger, withTimeout } from '@gateway/observability';
import { createPollQueue, type RedisConnection, type RedisKeys } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, QUEUE_REDIS, REDIS_KEYS } from '../tokens.js';

const PATIENCE_MS = 1_000;

/** Asks the workers to poll a task at once, because its customer cancels it. */
@Injectable()
export class PollNow {
  constructor(
    @Inject(QUEUE_REDIS) private readonly redis: RedisConnection,
    @Inject(REDIS_KEYS) private readonly keys: RedisKeys,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Best effort: the task's next scheduled poll reads the table as well. */
  async poll(task: Pick<StoredVideoTask, 'taskId' | 'vendor'>): Promise<void> {
    const { taskId } = task;
    const warn = (error: unknown) => this.logger.warn({ err: error, taskId }, 'poll request failed');
    await withTimeout(this.#poll(task).catch(warn), PATIENCE_MS, () => warn(new Error('the queue is away')));
  }

  async #poll({ taskId, vendor }: Pick<StoredVideoTask, 'taskId' | 'vendor'>): Promise<void> {
    const queue = await createPollQueue(this.redis, vendor, this.keys);
    try {
      await queue.pollNow(taskId);
    } finally {
      await queue.close();
    }
  }
}
