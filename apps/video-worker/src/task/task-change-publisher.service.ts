import type { StoredVideoTask } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { publishTaskChange, type RedisConnection } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, QUEUE_REDIS } from '../tokens.js';

/** Notifies subscribers that a task has changed. Best effort: subscribers also poll. */
@Injectable()
export class TaskChangePublisher {
  constructor(
    @Inject(QUEUE_REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  publish({ taskId, accountId }: StoredVideoTask): void {
    publishTaskChange(this.redis, { taskId, accountId }).catch((error: unknown) =>
      this.logger.debug({ err: error, taskId }, 'task change not published'),
    );
  }
}
