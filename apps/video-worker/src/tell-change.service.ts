import type { StoredVideoTask } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { publishTaskChange, type RedisConnection } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, QUEUE_REDIS } from './doors.js';

/** Lets those who wait for a task know that it has changed. Who is not told looks a little later. */
@Injectable()
export class TellChange {
  constructor(
    @Inject(QUEUE_REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  tell({ taskId, accountId }: StoredVideoTask): void {
    publishTaskChange(this.redis, { taskId, accountId }).catch((error: unknown) =>
      this.logger.debug({ err: error, taskId }, 'nobody is told that a task has changed'),
    );
  }
}
