import { GatewayError, isGatewayError } from '@gateway/contracts';

/** 503: the same request may succeed in another thread. */
export function threadFailed(cause: unknown): Error {
  if (isGatewayError(cause)) return cause;
  const error = new GatewayError('service_unavailable', 'The request could not be read right now, try again shortly.', {
    retryAfterMs: 1_000,
  });
  error.cause = cause;
  return error;
}
