import { Injectable } from '@nestjs/common';
import { CancelOrphanedDeliveries } from './cancel-orphaned-deliveries.service.js';
import { DeliveryWorker } from './delivery-worker.service.js';
import { ObserveWebhooks } from './observe-webhooks.service.js';
import { RemoveExpiredEvents } from './remove-expired-events.service.js';
import { TaskChangeSubscriber } from './task-change-subscriber.service.js';

/** Starts and stops all background work of webhooks. */
@Injectable()
export class WebhookStage {
  readonly #loops: readonly { start(): void; stop(): Promise<void> }[];

  constructor(
    private readonly changes: TaskChangeSubscriber,
    deliveries: DeliveryWorker,
    observing: ObserveWebhooks,
    removing: RemoveExpiredEvents,
    cancelling: CancelOrphanedDeliveries,
  ) {
    this.#loops = [deliveries, observing, removing, cancelling];
  }

  start(): void {
    this.changes.start();
    for (const loop of this.#loops) loop.start();
  }

  async stop(): Promise<void> {
    this.changes.stop();
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }
}
