import type { Logger } from '@gateway/observability';
import { subscribeTaskChanges } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import { NotifyCustomers } from './notify-customers.service.js';

/** Has customers told of a change as soon as it is there. A hint that is lost costs a second. */
@Injectable()
export class HearTaskChanges {
  #hints: { close(): void } | undefined;

  constructor(
    private readonly notifyCustomers: NotifyCustomers,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'queueRedisUrl'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#hints = subscribeTaskChanges({
      url: this.config.queueRedisUrl,
      onChange: () => this.notifyCustomers.kick(),
      onError: (error) => this.logger.debug({ err: error }, 'no hints of changed tasks'),
    });
  }

  stop(): void {
    this.#hints?.close();
  }
}
