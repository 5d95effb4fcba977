import { GatewayError } from '@gateway/contracts';
import type { ClaimOutcome } from '@gateway/redis';

type Refused = Exclude<ClaimOutcome, { outcome: 'began' | 'answered' }>;

const LOOK_AGAIN_MS = 1_000;

/** Why a request with an idempotency key is not run. What was charged is named, so that its receipt can be read. */
export function refusalOf(begun: Refused): GatewayError {
  const param = 'Idempotency-Key';
  switch (begun.outcome) {
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
        { param, retryAfterMs: LOOK_AGAIN_MS },
      );
    case 'charged':
      return new GatewayError(
        'idempotency_answer_lost',
        `'Idempotency-Key': the request ${begun.requestId} was charged as its receipt says, but there is no whole answer of it: it broke off. Use a new key to run it again.`,
        { param },
      );
    case 'not_kept':
      return new GatewayError(
        'idempotency_answer_lost',
        `'Idempotency-Key': the request ${begun.requestId} was answered and charged once, but its answer is not kept: it was too large, or the account has kept too many. Use a new key to run it again.`,
        { param },
      );
  }
}
