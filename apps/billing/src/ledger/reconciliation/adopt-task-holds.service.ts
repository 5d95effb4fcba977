import type { Logger } from '@gateway/observability';
import { adoptOrphanTaskHolds, type Database } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { KeyCacheInvalidator } from '../../key-cache-invalidator.service.js';
import type { BillingMetrics } from '../../observability/billing-metrics.js';
import { DATABASE, LOGGER, METRICS } from '../../tokens.js';

/** Holds the money of open tasks again whose hold was lost with Redis. The customer got it back with the escrow. */
@Injectable()
export class AdoptTaskHolds {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
  ) {}

  /** Also invalidates keys with a spend cap: a cached record shows too little spending, and would let the key exceed it. */
  async adopt(olderThanMs: number): Promise<void> {
    const { adopted, cappedKeys } = await adoptOrphanTaskHolds(this.database, olderThanMs);
    if (adopted === 0) return;
    this.metrics.adoptedTaskHolds.inc(adopted);
    this.logger.warn({ adopted }, 'lost task holds taken from the customers');
    await this.keyCacheInvalidator.invalidate(cappedKeys);
  }
}
