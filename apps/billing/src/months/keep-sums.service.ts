import { type Logger, Loop } from '@gateway/observability';
import { type Database, keepLedgerMonths, keepUsageDays } from '@gateway/postgres';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DATABASE, LOGGER } from '../tokens.js';

const EVERY_MS = 3_600_000;
/** Rows of sums in a week. A quarter of a year of fewer is summed in less than 300 ms. */
const LEAST = 4_000;

/**
 * Keeps the usage of ended days of large accounts, and what the ledger moved in their ended months, so that their reports do
 * not sum millions of rows again. Several processes may run it: the database lets one at a time.
 */
@Injectable()
export class KeepSums implements OnApplicationBootstrap {
  readonly #loop: Loop;
  #isStopping = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: () => this.keep(),
      onError: (error) => this.logger.warn({ err: error }, 'keeping the sums of reports failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    this.#isStopping = true;
    return this.#loop.stop();
  }

  async keep(): Promise<void> {
    const days = await this.untilNone(() => keepUsageDays(this.database, LEAST));
    const months = await this.untilNone(() => keepLedgerMonths(this.database));
    if (days + months > 0) this.logger.info({ days, months }, 'kept the sums of reports');
  }

  /** Keeps some after the others until none is left. Returns how many. */
  private async untilNone(keepSome: () => Promise<number>): Promise<number> {
    let all = 0;
    for (let kept = -1; kept !== 0 && !this.#isStopping; all += kept) kept = await keepSome();
    return all;
  }
}
