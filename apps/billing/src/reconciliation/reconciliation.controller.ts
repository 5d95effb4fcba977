import { GatewayError, queryBoolean } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { checkLedger, type Database } from '@gateway/postgres';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { AllowAccounts } from '../guards/access.js';
import { DATABASE } from '../tokens.js';
import { Reconcile } from './reconcile.service.js';

const reconciliationQuery = z.strictObject({ deep: queryBoolean.default(false) });

@Controller('internal/reconciliation')
export class ReconciliationController {
  constructor(
    private readonly reconcile: Reconcile,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /** The expected value of each number is zero. `deep=true` also reads the whole ledger. */
  @AllowAccounts()
  @Get()
  async show(@Query() query: unknown) {
    const { deep } = parse(reconciliationQuery, query);
    const result = (await this.reconcile.inspect(Date.now())) ?? this.reconcile.last;
    if (result === null) {
      throw new GatewayError('service_unavailable', 'Balances are being rebuilt.', { retryAfterMs: 1_000 });
    }
    return {
      checked_at: result.checkedAt.toISOString(),
      epoch: result.epoch,
      orphan_holds: result.orphanHolds,
      unsettled_events: result.unsettledEvents,
      parked_events: result.parkedEvents,
      ledger_imbalance_nano_usd: result.ledgerImbalanceNanoUsd.toString(),
      task_hold_drift_nano_usd: result.taskHolds.driftNanoUsd.toString(),
      unbooked_task_holds: result.taskHolds.unbookedHolds,
      tasks_without_receipt: result.taskHolds.endedWithoutReceipt,
      drift_nano_usd: result.driftNanoUsd.toString(),
      drift_usd: formatUsd(result.driftNanoUsd),
      drifts: result.drifts.map(({ accountId, driftNanoUsd, rounds }) => ({
        account_id: accountId,
        drift_usd: formatUsd(driftNanoUsd),
        rounds,
      })),
      ...(deep ? { ledger: await this.#checkLedger() } : {}),
    };
  }

  async #checkLedger() {
    const check = await checkLedger(this.database);
    return {
      imbalance_usd: formatUsd(check.imbalanceNanoUsd),
      unbalanced_transactions: Number(check.unbalancedTransactions),
      wrong_balances: Number(check.wrongBalances),
      wrong_usage_sums: Number(check.wrongUsageSums),
    };
  }
}
