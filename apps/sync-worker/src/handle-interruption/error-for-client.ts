import { GatewayError, isGatewayError } from '@gateway/contracts';
import { isHttpFailure } from '@gateway/http';
import { DeadlinePassed, DetachedTooLong } from './ticket-abort.js';

/** The client's error for an interrupted request. Undefined: a bug of the gateway, whose text clients must not see. */
export function errorForClient(thrown: unknown, isStopping: boolean): GatewayError | undefined {
  if (isGatewayError(thrown)) return thrown;
  if (thrown instanceof DeadlinePassed || thrown instanceof DetachedTooLong)
    return new GatewayError('upstream_timeout', 'The model did not respond in time.');
  if (isStopping)
    return new GatewayError(
      'worker_lost',
      'The worker that ran your request stopped before the response was complete.',
    );
  if (isHttpFailure(thrown)) return new GatewayError('upstream_error', 'The connection to the model broke.');
  return undefined;
}
