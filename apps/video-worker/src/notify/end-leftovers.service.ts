import { type Logger, Loop } from '@gateway/observability';
import { cancelOrphanedDeliveries, type Database } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, LOGGER } from '../doors.js';

const EVERY_MS = 1_000;

/** Cancels what still waits for endpoints that were disabled or deleted, a batch at a time. Nothing of it is sent before that either. */
@Injectable()
export class EndLeftovers {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: (signal) => this.#end(signal),
      onError: (error) => logger.warn({ err: error }, 'cannot cancel what waits for endpoints that have ended'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #end(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await cancelOrphanedDeliveries(this.database)));
  }
}
