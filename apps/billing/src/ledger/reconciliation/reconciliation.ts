import type { TaskHoldCheck } from '@gateway/postgres';
import type { Drift } from './drift-history.js';

/** What a comparison of the ledger with Redis has found. */
export interface Reconciliation {
  readonly checkedAt: Date;
  readonly epoch: string;
  readonly orphanHolds: number;
  readonly unsettledEvents: number;
  /** Events that nobody can read or book. */
  readonly parkedEvents: number;
  readonly ledgerImbalanceNanoUsd: bigint;
  /** What all customers together have in escrow. */
  readonly escrowNanoUsd: bigint;
  readonly taskHolds: TaskHoldCheck;
  readonly driftNanoUsd: bigint;
  readonly drifts: readonly Drift[];
}
