import type { Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { PollJob, PollQueue } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, POLL_QUEUES } from '../tokens.js';

/** Schedules the polls of tasks. Best effort: the sweep schedules a lost job again. */
@Injectable()
export class PollJobs {
  constructor(
    @Inject(POLL_QUEUES) private readonly queues: ReadonlyMap<Vendor, PollQueue>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async schedule(vendor: Vendor, jobs: readonly PollJob[]): Promise<void> {
    const queue = this.queues.get(vendor);
    if (queue === undefined) throw new Error(`no poll queue for vendor ${vendor}`);
    await queue
      .schedule(jobs)
      .catch((error: unknown) => this.logger.debug({ err: error, vendor }, 'poll jobs not scheduled'));
  }
}
