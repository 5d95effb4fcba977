import { z } from 'zod';

/**
 * Why a hold ended. `completed`: answered. `aborted`: the client left before the end. `failed`: no answer, nothing
 * charged. `interrupted`: the upstream or a worker broke off after the first byte. `expired`: nobody ended it in time.
 * `held`: it goes on as a task, whose money the ledger keeps from here on; the task's end is its settlement.
 */
export const SETTLEMENT_OUTCOMES = ['completed', 'aborted', 'failed', 'interrupted', 'expired', 'held'] as const;
export type SettlementOutcome = (typeof SETTLEMENT_OUTCOMES)[number];

/**
 * What happened to one admitted request, exactly one for each request id. The settle script appends it to the usage
 * stream in the same step that moves the money; billing copies it to the ledger and acknowledges after its commit.
 */
export const usageSettled = z.object({
  schemaVersion: z.literal(1),
  requestId: z.string(),
  accountId: z.string(),
  keyId: z.string(),
  endpoint: z.string(),
  model: z.string(),
  outcome: z.enum(SETTLEMENT_OUTCOMES),
  /** Nano-USD as digits. */
  holdNanoUsd: z.string(),
  costNanoUsd: z.string(),
  /** Where the settle script counted the cost as spent by a key with a cap, until it is booked. */
  spendingKeyId: z.string().optional(),
  priceVersion: z.string(),
  /** Decimal USD per million of the units that were charged. */
  unitPrices: z.record(z.string(), z.string()),
  units: z.record(z.string(), z.number()),
  isEstimated: z.boolean(),
  /** The error code of a request that failed. */
  errorCode: z.string().optional(),
  /** One for each upstream call, in order. */
  attempts: z.array(
    z.object({
      channel: z.string(),
      upstreamId: z.string().optional(),
      status: z.number().optional(),
      error: z.string().optional(),
      startedAtMs: z.number(),
      endedAtMs: z.number(),
    }),
  ),
  admittedAtMs: z.number(),
  startedAtMs: z.number().optional(),
  firstByteAtMs: z.number().optional(),
  settledAtMs: z.number(),
});

export type UsageSettled = z.infer<typeof usageSettled>;
export type UpstreamAttempt = UsageSettled['attempts'][number];
