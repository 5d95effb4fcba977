import { GatewayError, isGatewayError } from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import type { ClassifiedFailure } from '@gateway/upstreams';

export const CREDENTIAL_COOLDOWN_MS = 60_000;
const THROTTLE_COOLDOWN_MS = 1_000;
/** One call in five minutes costs nothing, and a vendor's wrong number must not close a model for days. */
const MAX_THROTTLE_COOLDOWN_MS = 300_000;

/** The consequences of a failed call for the client, a retry and the channel. */
export interface FailureVerdict {
  /** The client's error. */
  readonly error: GatewayError;
  /** True if the call was certainly not billed and a retry may succeed. */
  readonly mayRetry: boolean;
  /** True if breakers count the failure. */
  readonly isChannelUnhealthy: boolean;
  /** True if the vendor rejects the credential, at all or for this model: an operator must act. */
  readonly isCredentialRejected: boolean;
  /** True if the vendor's account is out of credit or at its spend limit: an operator must pay. */
  readonly isSpent: boolean;
  /** True if the client's request may have caused the rejection: the cooldowns start once it is confirmed. */
  readonly needsConfirmation: boolean;
  /** True if only another channel can read what the request holds: the same one would refuse it again. */
  readonly isForeignContent?: true;
  /** Milliseconds in which the channel serves no call. */
  readonly channelCooldownMs: number;
  /** Milliseconds in which the channel serves no call for this model. */
  readonly modelCooldownMs: number;
}

/** The upstream responded with an error status, which its protocol has read. */
export class UpstreamRejection extends Error {
  constructor(readonly failure: ClassifiedFailure) {
    super('the upstream rejected the request');
  }
}

const NO_CONSEQUENCE = {
  isCredentialRejected: false,
  isSpent: false,
  needsConfirmation: false,
  channelCooldownMs: 0,
  modelCooldownMs: 0,
} as const;

/** Undefined: a bug of the gateway, not a failure of the call. */
export function classifyUpstreamFailure(thrown: unknown): FailureVerdict | undefined {
  if (thrown instanceof UpstreamRejection) return classifyRejection(thrown.failure);
  if (thrown instanceof HttpFailure) return classifyTransportFailure(thrown);
  if (!isGatewayError(thrown)) return undefined;
  // A response outside the protocol, or an error inside a stream: it may have been billed, so it is not retried.
  // `service_unavailable` is of this process, such as a thread that failed.
  const isOwn = thrown.code === 'service_unavailable';
  const isChannelUnhealthy = !isOwn && thrown.code !== 'invalid_request' && thrown.row.status >= 500;
  return { ...NO_CONSEQUENCE, error: thrown, mayRetry: false, isChannelUnhealthy };
}

function classifyRejection(failure: ClassifiedFailure): FailureVerdict {
  const { kind, error, retryAfterMs } = failure;
  const modelCooldownMs = {
    // Vendors limit each model for itself: a customer who fills one must not close the others.
    throttled: Math.min(retryAfterMs ?? THROTTLE_COOLDOWN_MS, MAX_THROTTLE_COOLDOWN_MS),
    credential: 0,
    model: CREDENTIAL_COOLDOWN_MS,
    request: 0,
    server: 0,
  };
  return {
    error,
    mayRetry: kind !== 'request' || failure.isForeignContent === true,
    isChannelUnhealthy: kind === 'server',
    isCredentialRejected: kind === 'credential' || kind === 'model',
    isSpent: failure.isSpent === true,
    needsConfirmation: failure.needsConfirmation === true,
    channelCooldownMs: kind === 'credential' ? CREDENTIAL_COOLDOWN_MS : 0,
    modelCooldownMs: modelCooldownMs[kind],
    ...(failure.isForeignContent === true && { isForeignContent: true }),
  };
}

/** Only a call that was never sent is certainly not billed. */
function classifyTransportFailure(failure: HttpFailure): FailureVerdict {
  const error =
    failure.isTimeout && failure.kind === 'ambiguous'
      ? new GatewayError('upstream_timeout', 'The model did not respond in time.')
      : new GatewayError('upstream_error', 'The connection to the model broke.');
  return { ...NO_CONSEQUENCE, error, mayRetry: failure.kind === 'connect', isChannelUnhealthy: true };
}
