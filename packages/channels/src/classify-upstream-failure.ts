import { GatewayError, isGatewayError } from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import type { ReadFailure } from '@gateway/upstreams';

const CREDENTIAL_REST_MS = 60_000;
const THROTTLE_REST_MS = 1_000;

/** What a failed call means: for the client, for the next try, and for the channel that it went to. */
export interface FailureVerdict {
  readonly error: GatewayError;
  /** The failed call was certainly not paid for, and another may do better. */
  readonly mayRetry: boolean;
  readonly isChannelUnhealthy: boolean;
  /** The vendor does not take the channel's credential, or not for this model: somebody has to look after it. */
  readonly isCredentialRejected: boolean;
  /** How long the channel must not be asked again. */
  readonly channelCooldownMs: number;
  /** The same for this model only. */
  readonly modelCooldownMs: number;
}

/** An upstream's own refusal, read by its protocol. */
export class UpstreamRejection extends Error {
  constructor(readonly failure: ReadFailure) {
    super('the upstream refused');
  }
}

/** Undefined: not a failure of the call but a fault of ours. */
export function classifyUpstreamFailure(thrown: unknown): FailureVerdict | undefined {
  if (thrown instanceof UpstreamRejection) return judgeRefusal(thrown.failure);
  if (thrown instanceof HttpFailure) return judgeTransport(thrown);
  if (!isGatewayError(thrown)) return undefined;
  // Not this protocol's answer, or an error inside its stream: paid for or not, nobody knows.
  const isChannelIll = thrown.code !== 'invalid_request' && thrown.row.status >= 500;
  return {
    error: thrown,
    mayRetry: false,
    isChannelUnhealthy: isChannelIll,
    isCredentialRejected: false,
    channelCooldownMs: 0,
    modelCooldownMs: 0,
  };
}

function judgeRefusal({ kind, error, retryAfterMs }: ReadFailure): FailureVerdict {
  const restMs = {
    throttled: retryAfterMs ?? THROTTLE_REST_MS,
    credential: CREDENTIAL_REST_MS,
    model: 0,
    request: 0,
    server: 0,
  };
  return {
    error,
    mayRetry: kind !== 'request',
    isChannelUnhealthy: kind === 'server',
    isCredentialRejected: kind === 'credential' || kind === 'model',
    channelCooldownMs: restMs[kind],
    modelCooldownMs: kind === 'model' ? CREDENTIAL_REST_MS : 0,
  };
}

/** Only a call of which nothing was sent is surely unpaid. */
function judgeTransport(failure: HttpFailure): FailureVerdict {
  const error =
    failure.isTimeout && failure.kind === 'ambiguous'
      ? new GatewayError('upstream_timeout', 'The model did not answer in time.')
      : new GatewayError('upstream_error', 'The connection to the model broke off.');
  const mayRetry = failure.kind === 'connect';
  return {
    error,
    mayRetry,
    isChannelUnhealthy: true,
    isCredentialRejected: false,
    channelCooldownMs: 0,
    modelCooldownMs: 0,
  };
}
