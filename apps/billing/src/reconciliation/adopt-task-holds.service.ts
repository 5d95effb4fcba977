import type { Logger } from '@gateway/observability';
import { adoptOrphanTaskHolds, type Database } from '@gateway/postgres';
import { KeyCacheInvalidator } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { DATABASE, LOGGER, METRICS } from '../tokens.js';

/** Restores the holds of open tasks that Redis lost. The customer received that money with the returned escrow. */
@Injectable()
export class AdoptTaskHolds {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
  ) {}

  /** Also invalidates keys with a spend cap: their cached records show too little spending. */
  async adopt(olderThanMs: number): Promise<void> {
    const { adopted, cappedKeys } = await adoptOrphanTaskHolds(this.database, olderThanMs);
    if (adopted === 0) return;
    this.metrics.adoptedTaskHolds.inc(adopted);
    this.logger.warn({ adopted }, 'lost task holds restored');
    await this.keyCacheInvalidator.invalidate(cappedKeys);
  }
}
