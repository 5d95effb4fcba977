import type { FinalBatchStatus } from '@gateway/contracts';

/**
 * Why no further line of a batch begins. `drain`, `lost`: another worker continues it. `credit`: it continues later. After the
 * others it ends.
 */
export type StopReason = 'cancelled' | 'expired' | 'budget' | 'key' | 'credit' | 'drain' | 'lost';

export type EndReason = Exclude<StopReason, 'credit' | 'drain' | 'lost'>;

interface ReasonRow {
  readonly status: FinalBatchStatus;
  /** How the lines end that have not begun. */
  readonly outcome: 'failed' | 'expired' | 'cancelled';
  readonly code: string;
  readonly message: string;
}

export const END_REASONS = {
  cancelled: {
    status: 'cancelled',
    outcome: 'cancelled',
    code: 'batch_cancelled',
    message: 'The batch was cancelled before this line began.',
  },
  expired: {
    status: 'expired',
    outcome: 'expired',
    code: 'batch_expired',
    message: 'The completion window ended before this line began.',
  },
  budget: {
    status: 'completed',
    outcome: 'failed',
    code: 'batch_budget_exceeded',
    message: "What is left of 'max_cost_usd' did not cover this line, so it did not begin.",
  },
  key: {
    status: 'failed',
    outcome: 'failed',
    code: 'invalid_api_key',
    message: 'The API key of the batch is no longer valid, so this line did not begin.',
  },
} as const satisfies Record<EndReason, ReasonRow>;

export const isEndReason = (reason: StopReason): reason is EndReason => reason in END_REASONS;
