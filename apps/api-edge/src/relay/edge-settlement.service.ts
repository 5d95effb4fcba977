import { unitPricesFor, usageCost, vendorCostOf } from '@gateway/catalogue';
import {
  buildUsageSettled,
  type MeterReading,
  NO_USAGE,
  type ResponseEnd,
  type SettlementOutcome,
  type UsageSettled,
} from '@gateway/contracts';
import type { Settler } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { AdmittedRequest } from '../edge-request.js';
import { requestChanges } from '../http/request-changes.js';
import { SETTLER } from '../tokens.js';

/** A failure waits at most this long for what its request costs. The settler itself retries until Redis confirms. */
const SETTLEMENT_WAIT_MS = 2_000;

/** Settles requests that no worker will settle: unclaimed ones, and those of a lost worker. */
@Injectable()
export class EdgeSettlement {
  constructor(@Inject(SETTLER) private readonly settler: Settler) {}

  /** In the background. `reading`: what was metered; undefined charges nothing. */
  settle(...ended: Parameters<typeof endOf>): void {
    this.settler.settleInBackground(endOf(...ended));
  }

  /**
   * Settles what a lost worker had metered, unless that worker has settled its response. Undefined: Redis has not said in time
   * what the request costs.
   */
  async settleLost(
    request: AdmittedRequest,
    outcome: SettlementOutcome,
    reading: MeterReading | undefined,
  ): Promise<ResponseEnd | undefined> {
    const settlement = await this.settler.settle(endOf(request, outcome, reading, 'worker_lost'), SETTLEMENT_WAIT_MS);
    const cost = settlement?.costNanoUsd ?? null;
    if (settlement === undefined || cost === null) return undefined;
    return { costNanoUsd: cost.toString(), balanceNanoUsd: settlement.balanceNanoUsd.toString() };
  }
}

function endOf(
  request: AdmittedRequest,
  outcome: SettlementOutcome,
  reading: MeterReading | undefined,
  errorCode: string,
): UsageSettled {
  const { units, inputTokensTotal, isEstimated } = reading ?? NO_USAGE;
  const { key } = request.caller;
  const usage = { units, inputTokensTotal };
  const costNanoUsd = key.isTest ? 0n : usageCost(usage, request.price);
  return buildUsageSettled(
    {
      requestId: request.requestId,
      accountId: key.accountId,
      keyId: key.keyId,
      endpoint: request.endpoint,
      model: request.model.id,
      holdNanoUsd: request.holdNanoUsd.toString(),
      priceVersion: request.price.version,
      admittedAtMs: request.admittedAtMs,
      idempotencyHash: request.idempotencyHash,
      idempotencyKey: request.idempotencyKey,
      changes: requestChanges(request),
      abortContract: request.abortContract,
    },
    {
      outcome,
      costNanoUsd,
      vendorCostNanoUsd: key.isTest ? 0n : vendorCostOf(request.model, usage, request.admittedAtMs),
      units,
      unitPrices: unitPricesFor(request.price, inputTokensTotal),
      isEstimated,
      errorCode,
      settledAtMs: Date.now(),
    },
  );
}
