import { adoptOrphanTaskHolds, type Database } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../billing-doors.js';
import { type BillingMetrics, METRICS } from '../billing-metrics.js';
import { ForgetKeys } from '../forget-keys.service.js';
import { LOGGER, type Logger } from '../observability-door.js';

/** Takes what lost holds of open tasks may cost from the customers, who have it back from the lost Redis. */
@Injectable()
export class AdoptTaskHolds {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly forgetKeys: ForgetKeys,
  ) {}

  /** Keys with a spend cap are read anew: a record from before says that they have spent less, and would let them pass it. */
  async adopt(olderThanMs: number): Promise<void> {
    const { adopted, cappedKeys } = await adoptOrphanTaskHolds(this.database, olderThanMs);
    if (adopted === 0) return;
    this.metrics.adoptedTaskHolds.inc(adopted);
    this.logger.warn({ adopted }, 'holds of tasks were lost with a Redis: they are taken from the customers');
    await this.forgetKeys.forget(cappedKeys);
  }
}
