import { type Logger, Loop } from '@gateway/observability';
import { analyzeMonths, type Database, makeMonthPartitions, readMonthState } from '@gateway/postgres';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { DATABASE, LOGGER, METRICS } from '../tokens.js';

const EVERY_MS = 3_600_000;
/** Time for a person to act if making a month fails. */
const MONTHS_AHEAD = 3;

/**
 * Makes the partitions of receipts and ledger ahead of their month. Several processes may run it: the database makes a month
 * once. A row whose month is missing goes to the default partition, and moves when a later round makes the month.
 */
@Injectable()
export class MakeMonths implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(METRICS) private readonly metrics: Pick<BillingMetrics, 'monthsEnd' | 'monthStrays'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: () => this.make(),
      onError: (error) => this.logger.warn({ err: error }, 'making the partitions of months failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Reports what there is also when nothing could be made. */
  async make(): Promise<void> {
    try {
      const made = await makeMonthPartitions(this.database, MONTHS_AHEAD);
      if (made.length > 0) this.logger.info({ partitions: made }, 'made the partitions of months');
      await analyzeMonths(this.database);
    } finally {
      const { endsAt, strays } = await readMonthState(this.database);
      this.metrics.monthsEnd.set(endsAt.getTime() / 1_000);
      this.metrics.monthStrays.set(strays);
    }
  }
}
