import { GatewayError } from '@gateway/contracts';
import type { ClaimOutcome } from '@gateway/redis';

type RefusedClaim = Exclude<ClaimOutcome, { outcome: 'began' | 'answered' | 'abandoned' }>;

const RETRY_AFTER_MS = 1_000;
const param = 'Idempotency-Key';

/** The error for a claim that failed. It names the earlier request that was charged, for its receipt. */
export function claimRefusal(claim: RefusedClaim): GatewayError {
  switch (claim.outcome) {
    case 'conflict':
      return new GatewayError(
        'idempotency_conflict',
        "'Idempotency-Key': expected a new key, because a different request has used this one.",
        { param },
      );
    case 'in_progress':
      return claim.freeInMs === null ? stillRunning() : lostItsServer(claim.freeInMs);
    case 'charged':
      return new GatewayError(
        'idempotency_answer_lost',
        `'Idempotency-Key': the request ${claim.requestId} ended without a complete response. Its receipt shows the cost. Use a new key to run it again.`,
        { param },
      );
    case 'not_kept':
      return new GatewayError(
        'idempotency_answer_lost',
        `'Idempotency-Key': the request ${claim.requestId} succeeded and was charged once, but its response is not stored: it is too large, or the account's storage is full. Use a new key to run it again.`,
        { param },
      );
  }
}

const stillRunning = (): GatewayError =>
  new GatewayError(
    'idempotency_in_progress',
    "'Idempotency-Key': the first request with this key is still running. Try again shortly.",
    { param, retryAfterMs: RETRY_AFTER_MS },
  );

/** Its worker may still finish it, so the wait is the longest one. */
const lostItsServer = (freeInMs: number): GatewayError =>
  new GatewayError(
    'idempotency_in_progress',
    `'Idempotency-Key': the server that received the first request with this key is gone. Unless the request still ends, the key is free in ${Math.ceil(freeInMs / 1_000)} s.`,
    { param, retryAfterMs: freeInMs },
  );
