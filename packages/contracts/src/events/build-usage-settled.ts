import { type Changes, changesPart, mergeChanges } from '../api/changes.js';
import { ERRORS, type ErrorCode } from '../errors/error-table.js';
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
  readonly idempotencyKey?: string | undefined;
  readonly queuedAtMs?: number | undefined;
  /** What the edge changed. */
  readonly changes?: Changes | undefined;
}

/** The outcome, usage and cost of the request. Absent units: no usage. */
export interface SettlementFacts {
  readonly outcome: SettlementOutcome;
  readonly costNanoUsd: bigint;
  /** What the vendor bills. Undefined: unknown, except that a request without any usage costs nothing. */
  readonly vendorCostNanoUsd?: bigint | undefined;
  readonly units?: Readonly<Record<string, number>>;
  /** Decimal USD per million of each unit. */
  readonly unitPrices?: Readonly<Record<string, string>>;
  readonly isEstimated?: boolean;
  readonly errorCode?: string | undefined;
  readonly status?: number | undefined;
  /** What the adapter changed. */
  readonly changes?: Changes | undefined;
  readonly attempts?: readonly UpstreamAttempt[];
  readonly startedAtMs?: number | undefined;
  readonly firstByteAtMs?: number | undefined;
  readonly settledAtMs: number;
}

const STREAM_STATUS = 200;

/** Without a status of its response: that of its error. A response that was interrupted had begun. */
function statusOf({ status, outcome, errorCode }: SettlementFacts): number | undefined {
  if (status !== undefined) return status;
  if (outcome === 'interrupted') return STREAM_STATUS;
  if (outcome === 'aborted') return ERRORS.client_closed_request.status;
  return errorCode !== undefined && errorCode in ERRORS ? ERRORS[errorCode as ErrorCode].status : undefined;
}

/** A vendor bills nothing for a request that failed without any usage. */
function vendorCost({ vendorCostNanoUsd, outcome, units }: SettlementFacts): { vendorCostNanoUsd?: string } {
  if (vendorCostNanoUsd !== undefined) return { vendorCostNanoUsd: vendorCostNanoUsd.toString() };
  return outcome === 'failed' && Object.keys(units ?? {}).length === 0 ? { vendorCostNanoUsd: '0' } : {};
}

/** The only place that builds the usage event, so that every service writes the same schema version. */
export function buildUsageSettled(request: SettledRequest, facts: SettlementFacts): UsageSettled {
  const status = statusOf(facts);
  return {
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
    ...vendorCost(facts),
    ...(request.abortContract !== undefined && { abortContract: request.abortContract }),
    ...(request.idempotencyHash !== undefined && { idempotencyHash: request.idempotencyHash }),
    ...(request.idempotencyKey !== undefined && { idempotencyKey: request.idempotencyKey }),
    ...(facts.errorCode !== undefined && { errorCode: facts.errorCode }),
    ...(status !== undefined && { status }),
    ...changesPart(mergeChanges(request.changes, facts.changes)),
    attempts: [...(facts.attempts ?? [])],
    admittedAtMs: request.admittedAtMs,
    ...(request.queuedAtMs !== undefined && { queuedAtMs: request.queuedAtMs }),
    ...(facts.startedAtMs !== undefined && { startedAtMs: facts.startedAtMs }),
    ...(facts.firstByteAtMs !== undefined && { firstByteAtMs: facts.firstByteAtMs }),
    settledAtMs: facts.settledAtMs,
  };
}
