import type { TaskId, Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { PollJob, PollQueue } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, POLL_QUEUES } from './doors.js';

/** Says when tasks are to be looked at. An alarm that Redis does not take is no loss: the sweep sets it again. */
@Injectable()
export class SetAlarms {
  constructor(
    @Inject(POLL_QUEUES) private readonly queues: ReadonlyMap<Vendor, PollQueue>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async set(vendor: Vendor, alarms: readonly PollJob[]): Promise<void> {
    await this.#queueOf(vendor)
      .schedule(alarms)
      .catch((error: unknown) => this.logger.debug({ err: error, vendor }, 'alarms are left to the sweep'));
  }

  async ringNow(vendor: Vendor, taskId: TaskId): Promise<void> {
    await this.#queueOf(vendor)
      .pollNow(taskId)
      .catch((error: unknown) => this.logger.debug({ err: error, taskId }, 'a look is left to the sweep'));
  }

  #queueOf(vendor: Vendor): PollQueue {
    const queue = this.queues.get(vendor);
    if (queue === undefined) throw new Error(`no queue for ${vendor}`);
    return queue;
  }
}
