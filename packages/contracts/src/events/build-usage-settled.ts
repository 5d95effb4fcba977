import type { AbortContract } from '../usage/abort-contract.js';
import type { SettlementOutcome, UpstreamAttempt, UsageSettled } from './usage-settled.event.js';

/** The admitted request that a settlement ends. Amounts are nano-USD as digits. */
export interface SettledRequest {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly holdNanoUsd: string;
  readonly priceVersion: string;
  readonly admittedAtMs: number;
  readonly abortContract?: AbortContract | undefined;
  readonly idempotencyHash?: string | undefined;
}

/** The outcome, usage and cost of the request. Absent units: no usage. */
export interface SettlementFacts {
  readonly outcome: SettlementOutcome;
  readonly costNanoUsd: bigint;
  readonly units?: Readonly<Record<string, number>>;
  /** Decimal USD per million of each unit. */
  readonly unitPrices?: Readonly<Record<string, string>>;
  readonly isEstimated?: boolean;
  readonly errorCode?: string | undefined;
  readonly attempts?: readonly UpstreamAttempt[];
  readonly startedAtMs?: number | undefined;
  readonly firstByteAtMs?: number | undefined;
  readonly settledAtMs: number;
}

/** The only place that builds the usage event, so that every service writes the same schema version. */
export const buildUsageSettled = (request: SettledRequest, facts: SettlementFacts): UsageSettled => ({
  schemaVersion: 1,
  requestId: request.requestId,
  accountId: request.accountId,
  keyId: request.keyId,
  endpoint: request.endpoint,
  model: request.model,
  outcome: facts.outcome,
  holdNanoUsd: request.holdNanoUsd,
  costNanoUsd: facts.costNanoUsd.toString(),
  priceVersion: request.priceVersion,
  unitPrices: { ...facts.unitPrices },
  units: { ...facts.units },
  isEstimated: facts.isEstimated ?? false,
  ...(request.abortContract !== undefined && { abortContract: request.abortContract }),
  ...(request.idempotencyHash !== undefined && { idempotencyHash: request.idempotencyHash }),
  ...(facts.errorCode !== undefined && { errorCode: facts.errorCode }),
  attempts: [...(facts.attempts ?? [])],
  admittedAtMs: request.admittedAtMs,
  ...(facts.startedAtMs !== undefined && { startedAtMs: facts.startedAtMs }),
  ...(facts.firstByteAtMs !== undefined && { firstByteAtMs: facts.firstByteAtMs }),
  settledAtMs: facts.settledAtMs,
});
