import type { TaskHoldCheck } from '@gateway/postgres';
import type { Drift } from './drift-history.js';

/** The result of one comparison of the ledger with Redis. */
export interface ReconciliationResult {
  readonly checkedAt: Date;
  /** The newest epoch of a shard. */
  readonly epoch: string;
  readonly orphanHolds: number;
  readonly unsettledEvents: number;
  /** Events that cannot be parsed, and events that the ledger rejected. */
  readonly parkedEvents: number;
  readonly ledgerImbalanceNanoUsd: bigint;
  /** The escrow of all customers. */
  readonly escrowNanoUsd: bigint;
  readonly taskHolds: TaskHoldCheck;
  readonly driftNanoUsd: bigint;
  readonly drifts: readonly Drift[];
}
