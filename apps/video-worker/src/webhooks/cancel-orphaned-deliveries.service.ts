import { type Logger, Loop } from '@gateway/observability';
import { cancelOrphanedDeliveries, type Database } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, LOGGER } from '../tokens.js';

const INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 8_000;

/** Cancels the pending deliveries of disabled and deleted endpoints, in batches. Claims skip them until then. */
@Injectable()
export class CancelOrphanedDeliveries {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: INTERVAL_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      run: (signal) => this.#cancel(signal),
      onError: (error) => logger.warn({ err: error }, 'orphaned deliveries not cancelled'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #cancel(signal: AbortSignal): Promise<void> {
    if (!(await cancelOrphanedDeliveries(this.database))) return this.#loop.backOff();
    while (!signal.aborted && (await cancelOrphanedDeliveries(this.database)));
  }
}
