import { type Logger, Loop } from '@gateway/observability';
import { type Database, removeExpiredEvents } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, LOGGER, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';

const INTERVAL_MS = 10 * 60 * 1_000;
const BATCH = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Removes events and their delivery logs after the retention time, in batches. */
@Injectable()
export class RemoveExpiredEvents {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'webhooks'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: INTERVAL_MS,
      run: (signal) => this.#remove(signal),
      onError: (error) => logger.warn({ err: error }, 'expired events not removed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #remove(signal: AbortSignal): Promise<void> {
    const retentionMs = this.config.webhooks.keepEventsDays * DAY_MS;
    while (!signal.aborted && (await removeExpiredEvents(this.database, retentionMs, BATCH)) === BATCH);
  }
}
