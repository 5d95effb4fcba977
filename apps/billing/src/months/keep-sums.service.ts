import { type Logger, Loop } from '@gateway/observability';
import { type Database, keepUsageDays } from '@gateway/postgres';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DATABASE, LOGGER } from '../tokens.js';

const EVERY_MS = 3_600_000;
/** Rows of sums in a week. A quarter of a year of fewer is summed in less than 300 ms. */
const LEAST = 4_000;

/**
 * Keeps the usage of ended days of large accounts, so that their reports do not sum each quarter of an hour again. Several
 * processes may run it: the database lets one at a time.
 */
@Injectable()
export class KeepUsageDays implements OnApplicationBootstrap {
  readonly #loop: Loop;
  #isStopping = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: () => this.keep(),
      onError: (error) => this.logger.warn({ err: error }, 'keeping the usage of days failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    this.#isStopping = true;
    return this.#loop.stop();
  }

  /** Keeps some days after the other until none is left. */
  async keep(): Promise<void> {
    let days = 0;
    for (let kept = -1; kept !== 0 && !this.#isStopping; days += kept) kept = await keepUsageDays(this.database, LEAST);
    if (days > 0) this.logger.info({ days }, 'kept the usage of days');
  }
}
