import { z } from 'zod';
import { changes } from '../api/changes.js';
import { ABORT_CONTRACTS } from '../usage/abort-contract.js';

/**
 * How a hold ended.
 * - `completed`: the response was sent.
 * - `aborted`: the client disconnected before the end.
 * - `failed`: no response; nothing is charged.
 * - `interrupted`: the upstream or a worker broke off after the first byte.
 * - `expired`: no service settled it in time.
 * - `held`: it continues as a task, whose hold is in the ledger; the task's end is its settlement.
 */
export const SETTLEMENT_OUTCOMES = ['completed', 'aborted', 'failed', 'interrupted', 'expired', 'held'] as const;
export type SettlementOutcome = (typeof SETTLEMENT_OUTCOMES)[number];

/**
 * The settlement of one admitted request; exactly one for each request id. The settle script moves the money and appends
 * this event to the usage stream atomically. Billing copies it to the ledger and acknowledges after its commit.
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
  /** What the vendor bills, by its own report or by the catalogue. Absent: unknown. */
  vendorCostNanoUsd: z.string().optional(),
  /** The key whose spend cap the settle script charged, until billing books the cost. */
  spendingKeyId: z.string().optional(),
  /** The counters of caps that the settle script changed, until billing books the request. */
  counters: z.array(z.string()).optional(),
  priceVersion: z.string(),
  /** Decimal USD per million of each charged unit. */
  unitPrices: z.record(z.string(), z.string()),
  units: z.record(z.string(), z.number()),
  isEstimated: z.boolean(),
  /** Absent if the service that settled did not know it. */
  abortContract: z.enum(ABORT_CONTRACTS).optional(),
  /** Of the account's idempotency key and the requested work: two charges with one hash are one too many. */
  idempotencyHash: z.string().optional(),
  /** The client's `Idempotency-Key`. */
  idempotencyKey: z.string().optional(),
  /** The error code of a failed request. */
  errorCode: z.string().optional(),
  /** The HTTP status of the response, or that it would have had. */
  status: z.int().optional(),
  /** Absent: nothing was changed. */
  changes: changes.optional(),
  /** One for each upstream call, in order. Times are Unix milliseconds. */
  attempts: z.array(
    z.object({
      channel: z.string(),
      upstreamId: z.string().optional(),
      status: z.number().optional(),
      error: z.string().optional(),
      startedAtMs: z.number(),
      endedAtMs: z.number(),
      /** What the vendor bills by its own report, in nano-USD as decimal digits. */
      vendorCostNanoUsd: z.string().optional(),
    }),
  ),
  admittedAtMs: z.number(),
  /** When the edge queued the ticket. */
  queuedAtMs: z.number().optional(),
  /** When a worker claimed it. */
  startedAtMs: z.number().optional(),
  firstByteAtMs: z.number().optional(),
  settledAtMs: z.number(),
});

export type UsageSettled = z.infer<typeof usageSettled>;
export type UpstreamAttempt = UsageSettled['attempts'][number];
