import { GatewayError } from '@gateway/contracts';
import type { ClaimOutcome } from '@gateway/redis';

type RefusedClaim = Exclude<ClaimOutcome, { outcome: 'began' | 'answered' }>;

const RETRY_AFTER_MS = 1_000;
const param = 'Idempotency-Key';

/** Why a request with an idempotency key is not run. Names the earlier request that was charged, so that its receipt can be read. */
export function claimRefusal(claim: RefusedClaim): GatewayError {
  switch (claim.outcome) {
    case 'conflict':
      return new GatewayError(
        'idempotency_conflict',
        "'Idempotency-Key': it was already used for a request that was not the same. Use a new key.",
        { param },
      );
    case 'in_progress':
      return new GatewayError(
        'idempotency_in_progress',
        "'Idempotency-Key': the request that it was first used for is still being answered. Try again shortly.",
        { param, retryAfterMs: RETRY_AFTER_MS },
      );
    case 'charged':
      return new GatewayError(
        'idempotency_answer_lost',
        `'Idempotency-Key': the request ${claim.requestId} broke off, so it has no whole response. Its receipt says what it cost. Use a new key to run it again.`,
        { param },
      );
    case 'not_kept':
      return new GatewayError(
        'idempotency_answer_lost',
        `'Idempotency-Key': the request ${claim.requestId} was answered and charged once, but its response is not stored: it was too large, or the account has stored too many. Use a new key to run it again.`,
        { param },
      );
  }
}
