import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Worker } from 'bullmq';

/** How long BullMQ is kept from asking again after Redis refused, for instance because its memory is full. */
const PAUSE_AFTER_REFUSAL_MS = 1_000;

/** A BullMQ worker that knows when Redis last answered one of its fetches, and that can be left behind. */
export class FetchingWorker<Data> extends Worker<Data, void> {
  lastFetchMs = Date.now();

  protected override async moveToActive(token: string, name?: string): Promise<Job<Data, void>> {
    try {
      const job = await super.moveToActive(token, name);
      this.lastFetchMs = Date.now();
      return job;
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError') {
        this.lastFetchMs = Date.now();
        // BullMQ tries again without a pause: thousands of times a second.
        await sleep(PAUSE_AFTER_REFUSAL_MS);
      }
      throw error;
    }
  }

  /** Stops what keeps the process alive after a close that did not come to its end. */
  async abandon(): Promise<void> {
    await this.lockManager.close();
  }
}
