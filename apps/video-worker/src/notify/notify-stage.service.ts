import type { Logger } from '@gateway/observability';
import { subscribeTaskChanges } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import { NotifyCustomers } from './notify-customers.service.js';
import { ObserveWebhooks } from './observe-webhooks.service.js';
import { RemoveOldEvents } from './remove-old-events.service.js';

/** All that goes on behind webhooks, to be started and stopped together. */
@Injectable()
export class NotifyStage {
  #hints: { close(): void } | undefined;

  constructor(
    private readonly notifyCustomers: NotifyCustomers,
    private readonly observeWebhooks: ObserveWebhooks,
    private readonly removeOldEvents: RemoveOldEvents,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'queueRedisUrl'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    // A hint that is lost costs a second.
    this.#hints = subscribeTaskChanges({
      url: this.config.queueRedisUrl,
      onChange: () => this.notifyCustomers.kick(),
      onError: (error) => this.logger.debug({ err: error }, 'no hints of changed tasks'),
    });
    this.notifyCustomers.start();
    this.observeWebhooks.start();
    this.removeOldEvents.start();
  }

  async stop(): Promise<void> {
    this.#hints?.close();
    await Promise.all([this.notifyCustomers.stop(), this.observeWebhooks.stop(), this.removeOldEvents.stop()]);
  }
}
