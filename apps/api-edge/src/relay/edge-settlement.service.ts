import { unitPricesFor, usageCost } from '@gateway/catalogue';
import type { MeterReading, SettlementOutcome, UsageSettled } from '@gateway/contracts';
import type { Settler } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { AdmittedRequest } from '../edge-request.js';
import { SETTLER } from '../redis-doors.js';

const NOTHING_READ: MeterReading = { units: {}, inputTokensTotal: 0, isEstimated: false };

/** Settles what no worker will settle: requests that none took, and those whose worker died. Gives what they cost. */
@Injectable()
export class EdgeSettlement {
  constructor(@Inject(SETTLER) private readonly settler: Settler) {}

  settle(
    request: AdmittedRequest,
    outcome: SettlementOutcome,
    reading: MeterReading | undefined,
    errorCode: string,
  ): bigint {
    const used = reading ?? NOTHING_READ;
    const { key } = request.caller;
    const costNanoUsd = key.isTest ? 0n : usageCost(used, request.price);
    const event: UsageSettled = {
      schemaVersion: 1,
      requestId: request.requestId,
      accountId: key.accountId,
      keyId: key.keyId,
      endpoint: request.endpoint,
      model: request.model.id,
      outcome,
      holdNanoUsd: request.holdNanoUsd.toString(),
      costNanoUsd: costNanoUsd.toString(),
      priceVersion: request.price.version,
      unitPrices: unitPricesFor(request.price, used.inputTokensTotal) as Record<string, string>,
      units: used.units,
      isEstimated: used.isEstimated,
      errorCode,
      attempts: [],
      admittedAtMs: request.admittedAtMs,
      settledAtMs: Date.now(),
    };
    this.settler.settleInBackground(event);
    return costNanoUsd;
  }
}
