import { unitPricesFor, usageCost, vendorCostOf } from '@gateway/catalogue';
import { buildUsageSettled, type MeterReading, NO_USAGE, type SettlementOutcome } from '@gateway/contracts';
import type { Settler } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { AdmittedRequest } from '../edge-request.js';
import { requestChanges } from '../http/request-changes.js';
import { SETTLER } from '../tokens.js';

/** Settles requests that no worker will settle: unclaimed ones, and those of a lost worker. */
@Injectable()
export class EdgeSettlement {
  constructor(@Inject(SETTLER) private readonly settler: Settler) {}

  /** `reading`: what a lost worker had metered; undefined charges nothing. Returns the cost in nano-USD. */
  settle(
    request: AdmittedRequest,
    outcome: SettlementOutcome,
    reading: MeterReading | undefined,
    errorCode: string,
  ): bigint {
    const { units, inputTokensTotal, isEstimated } = reading ?? NO_USAGE;
    const { key } = request.caller;
    const usage = { units, inputTokensTotal };
    const costNanoUsd = key.isTest ? 0n : usageCost(usage, request.price);
    this.settler.settleInBackground(
      buildUsageSettled(
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
      ),
    );
    return costNanoUsd;
  }
}
