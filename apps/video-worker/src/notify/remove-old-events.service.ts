import { type Logger, Loop } from '@gateway/observability';
import { type Database, removeExpiredEvents } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, LOGGER, WORKER_CONFIG, type WorkerConfig } from '../doors.js';

const EVERY_MS = 10 * 60 * 1_000;
const BATCH = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Removes events and the log of their deliveries when their time is over, a few at a time. */
@Injectable()
export class RemoveOldEvents {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'webhooks'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: (signal) => this.#remove(signal),
      onError: (error) => logger.warn({ err: error }, 'cannot remove old events'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #remove(signal: AbortSignal): Promise<void> {
    const keepMs = this.config.webhooks.keepEventsDays * DAY_MS;
    while (!signal.aborted && (await removeExpiredEvents(this.database, keepMs, BATCH)) === BATCH);
  }
}
