import { Injectable } from '@nestjs/common';
import { EndLeftovers } from './end-leftovers.service.js';
import { HearTaskChanges } from './hear-task-changes.service.js';
import { NotifyCustomers } from './notify-customers.service.js';
import { ObserveWebhooks } from './observe-webhooks.service.js';
import { RemoveOldEvents } from './remove-old-events.service.js';

/** All that goes on behind webhooks, to be started and stopped together. */
@Injectable()
export class NotifyStage {
  constructor(
    private readonly hearTaskChanges: HearTaskChanges,
    private readonly notifyCustomers: NotifyCustomers,
    private readonly observeWebhooks: ObserveWebhooks,
    private readonly removeExpiredEvents: RemoveOldEvents,
    private readonly endLeftovers: EndLeftovers,
  ) {}

  start(): void {
    this.hearTaskChanges.start();
    this.notifyCustomers.start();
    this.observeWebhooks.start();
    this.removeExpiredEvents.start();
    this.endLeftovers.start();
  }

  async stop(): Promise<void> {
    this.hearTaskChanges.stop();
    const loops = [this.notifyCustomers, this.observeWebhooks, this.removeExpiredEvents, this.endLeftovers];
    await Promise.all(loops.map((loop) => loop.stop()));
  }
}
