import type { Logger } from '@gateway/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { LOGGER, METRICS } from '../tokens.js';
import type { Drift } from './drift-history.js';
import type { ReconciliationResult } from './reconciliation.js';

/** Publishes the results of reconciliation as gauges, for the alerts, and as logs. */
@Injectable()
export class ReconciliationReporter {
  constructor(
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  report(result: ReconciliationResult): void {
    this.metrics.taskHoldDriftNanoUsd.set(Number(result.taskHolds.driftNanoUsd));
    this.metrics.unbookedTaskHolds.set(result.taskHolds.unbookedHolds);
    this.metrics.tasksWithoutReceipt.set(result.taskHolds.endedWithoutReceipt);
    this.metrics.orphanHolds.set(result.orphanHolds);
    this.metrics.unsettledEvents.set(result.unsettledEvents);
    this.metrics.parkedEvents.set(result.parkedEvents);
    this.metrics.driftNanoUsd.set(Number(result.driftNanoUsd));
    this.metrics.escrowNanoUsd.set(Number(result.escrowNanoUsd));
    this.metrics.ledgerImbalanceNanoUsd.set(Number(result.ledgerImbalanceNanoUsd));
    for (const { accountId, driftNanoUsd, rounds } of result.drifts) {
      this.logger.error(
        { accountId, driftNanoUsd: driftNanoUsd.toString(), rounds },
        'drift detected between Redis and ledger',
      );
    }
  }

  reportRepair({ accountId, driftNanoUsd }: Pick<Drift, 'accountId' | 'driftNanoUsd'>): void {
    this.metrics.repairs.inc();
    this.logger.error({ accountId, driftNanoUsd: driftNanoUsd.toString() }, 'drift repaired');
  }

  reportFailure(error: unknown): void {
    this.logger.warn({ err: error }, 'reconciliation failed');
  }
}
