import { classifyUpstreamFailure, type FailureVerdict, UpstreamRejection } from '@gateway/channels';
import { GatewayError } from '@gateway/contracts';
import { isHttpFailure } from '@gateway/http';

/** What a failed submission means. `isUnclear`: the upstream may have taken the task, so nobody asks for it again. */
export interface SubmissionVerdict extends FailureVerdict {
  readonly isUnclear: boolean;
}

/** Answers that say that nothing was begun although the fault is the upstream's. */
const SURE_REFUSALS: ReadonlySet<number> = new Set([503, 529]);

const TIMED_OUT = new GatewayError('upstream_timeout', 'The upstream did not answer in time.');

/** `status`: of the upstream's answer, if one came. Undefined: not a failure of the call but a fault of ours. */
export function judgeSubmission(thrown: unknown, status: number | undefined): SubmissionVerdict | undefined {
  const verdict = classifyUpstreamFailure(thrown);
  if (verdict === undefined) return undefined;
  const isUnclear = mayHaveBeenTaken(thrown, status);
  const error = isUnclear && isHttpFailure(thrown) && thrown.isTimeout ? TIMED_OUT : verdict.error;
  return { ...verdict, error, mayRetry: verdict.mayRetry && !isUnclear, isUnclear };
}

function mayHaveBeenTaken(thrown: unknown, status: number | undefined): boolean {
  if (isHttpFailure(thrown)) return thrown.wasSent;
  if (thrown instanceof UpstreamRejection) {
    return thrown.failure.kind === 'server' && !SURE_REFUSALS.has(status ?? 0);
  }
  // An answer that names no task is one that may have made it; a request that could not be written was not sent.
  return status !== undefined;
}
