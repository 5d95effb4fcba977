import type { Logger } from '@gateway/observability';
import { adoptOrphanTaskHolds, type Database } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { KeyCacheInvalidator } from '../../key-cache-invalidator.service.js';
import type { BillingMetrics } from '../../observability/billing-metrics.js';
import { DATABASE, LOGGER, METRICS } from '../../tokens.js';

/** Takes what lost holds of open tasks may cost from the customers, who have it back from the lost Redis. */
@Injectable()
export class AdoptTaskHolds {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
  ) {}

  /** Keys with a spend cap are read anew: a record from before says that they have spent less, and would let them pass it. */
  async adopt(olderThanMs: number): Promise<void> {
    const { adopted, cappedKeys } = await adoptOrphanTaskHolds(this.database, olderThanMs);
    if (adopted === 0) return;
    this.metrics.adoptedTaskHolds.inc(adopted);
    this.logger.warn({ adopted }, 'holds of tasks were lost with a Redis: they are taken from the customers');
    await this.keyCacheInvalidator.invalidate(cappedKeys);
  }
}
