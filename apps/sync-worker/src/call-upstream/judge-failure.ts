import { GatewayError, isGatewayError } from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import type { ReadFailure } from '@gateway/upstreams';

const CREDENTIAL_REST_MS = 60_000;
const THROTTLE_REST_MS = 1_000;

/** What a failed call means: for the client, for the next try, and for the channel that it went to. */
export interface Verdict {
  readonly error: GatewayError;
  /** The failed call was certainly not paid for, and another may do better. */
  readonly mayRetry: boolean;
  readonly isChannelIll: boolean;
  /** The vendor does not take the channel's credential, or not for this model: somebody has to look after it. */
  readonly isCredentialRefused: boolean;
  /** How long the channel must not be asked again. */
  readonly channelRestMs: number;
  /** The same for this model only. */
  readonly modelRestMs: number;
}

/** An upstream's own refusal, read by its protocol. */
export class UpstreamRefused extends Error {
  constructor(readonly failure: ReadFailure) {
    super('the upstream refused');
  }
}

/** Undefined: not a failure of the call but a fault of ours. */
export function judgeFailure(thrown: unknown): Verdict | undefined {
  if (thrown instanceof UpstreamRefused) return judgeRefusal(thrown.failure);
  if (thrown instanceof HttpFailure) return judgeTransport(thrown);
  if (!isGatewayError(thrown)) return undefined;
  // Not this protocol's answer, or an error inside its stream: paid for or not, nobody knows.
  const isChannelIll = thrown.code !== 'invalid_request' && thrown.row.status >= 500;
  return { error: thrown, mayRetry: false, isChannelIll, isCredentialRefused: false, channelRestMs: 0, modelRestMs: 0 };
}

function judgeRefusal({ kind, error, retryAfterMs }: ReadFailure): Verdict {
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
    isChannelIll: kind === 'server',
    isCredentialRefused: kind === 'credential' || kind === 'model',
    channelRestMs: restMs[kind],
    modelRestMs: kind === 'model' ? CREDENTIAL_REST_MS : 0,
  };
}

/** Only a call of which nothing was sent is surely unpaid. */
function judgeTransport(failure: HttpFailure): Verdict {
  const error =
    failure.isTimeout && failure.kind === 'ambiguous'
      ? new GatewayError('upstream_timeout', 'The model did not answer in time.')
      : new GatewayError('upstream_error', 'The connection to the model broke off.');
  const mayRetry = failure.kind === 'connect';
  return { error, mayRetry, isChannelIll: true, isCredentialRefused: false, channelRestMs: 0, modelRestMs: 0 };
}
