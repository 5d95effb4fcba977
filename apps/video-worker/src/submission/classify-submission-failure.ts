import { classifyUpstreamFailure, type FailureVerdict, UpstreamRejection } from '@gateway/channels';
import { GatewayError, isGatewayError } from '@gateway/contracts';
import { isHttpFailure } from '@gateway/http';

/** `isAmbiguous`: the upstream may have accepted the task, so it must not be submitted again. */
export interface SubmissionVerdict extends FailureVerdict {
  readonly isAmbiguous: boolean;
}

/** Server errors that upstreams send only before they start a task. */
const NOT_STARTED_STATUSES: ReadonlySet<number> = new Set([503, 529]);

const TIMED_OUT = new GatewayError('upstream_timeout', 'The upstream did not respond in time.');

/** `status`: of the upstream's response, if there was one. Undefined result: a bug of this process. */
export function classifySubmissionFailure(thrown: unknown, status: number | undefined): SubmissionVerdict | undefined {
  const verdict = classifyUpstreamFailure(thrown);
  if (verdict === undefined) return undefined;
  const isAmbiguous = mayHaveBeenAccepted(thrown, status);
  const error = isAmbiguous && isHttpFailure(thrown) && thrown.isTimeout ? TIMED_OUT : verdict.error;
  // Without a request the channel had no part in it.
  const isChannelUnhealthy = verdict.isChannelUnhealthy && !(isGatewayError(thrown) && status === undefined);
  return { ...verdict, isChannelUnhealthy, error, mayRetry: verdict.mayRetry && !isAmbiguous, isAmbiguous };
}

function mayHaveBeenAccepted(thrown: unknown, status: number | undefined): boolean {
  if (isHttpFailure(thrown)) return thrown.wasSent;
  if (thrown instanceof UpstreamRejection) {
    return thrown.failure.kind === 'server' && !NOT_STARTED_STATUSES.has(status ?? 0);
  }
  // A response without a task id may belong to a task. Without a response the request could not be built and was not sent.
  return status !== undefined;
}
