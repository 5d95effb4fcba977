import type { Logger } from '@gateway/observability';
import { subscribeTaskChanges } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { DeliveryWorker } from './delivery-worker.service.js';

/** Wakes the delivery worker when a task changes. A lost notification delays a webhook by one poll interval. */
@Injectable()
export class TaskChangeSubscriber {
  #subscription: { close(): void } | undefined;

  constructor(
    private readonly deliveries: DeliveryWorker,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'queueRedisUrl'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#subscription = subscribeTaskChanges({
      url: this.config.queueRedisUrl,
      onChange: () => this.deliveries.kick(),
      onError: (error) => this.logger.debug({ err: error }, 'task change subscription failed'),
    });
  }

  stop(): void {
    this.#subscription?.close();
  }
}
