import { GatewayError, isGatewayError } from '@gateway/contracts';
import { isHttpFailure } from '@gateway/http';
import { DeadlinePassed } from './ticket-abort.js';

/** What a client is told of what broke its request off. Undefined: a fault of ours, of which it learns nothing. */
export function errorForClient(thrown: unknown, isStopping: boolean): GatewayError | undefined {
  if (isGatewayError(thrown)) return thrown;
  if (thrown instanceof DeadlinePassed)
    return new GatewayError('upstream_timeout', 'The model did not answer in time.');
  if (isStopping)
    return new GatewayError(
      'worker_lost',
      'The process that ran your request had to stop before the answer was whole.',
    );
  if (isHttpFailure(thrown)) return new GatewayError('upstream_error', 'The connection to the model broke off.');
  return undefined;
}
