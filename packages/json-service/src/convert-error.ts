import { GatewayError, isGatewayError } from '@gateway/contracts';

const REDIS_UNAVAILABLE =
  /enableOfflineQueue|Connection is closed|max retries per request|ECONNREFUSED|socket timeout|Command timed out/i;

const RETRY_AFTER_MS = 1_000;

/** The errors of the HTTP server itself, by status. */
const BY_STATUS = {
  400: ['invalid_json', 'The request body is not valid JSON.'],
  404: ['not_found', 'There is no such route.'],
  408: ['request_timeout', 'The request took too long to arrive.'],
  413: ['request_too_large', 'The request body is too large.'],
  415: ['unsupported_media_type', 'The request body must be application/json.'],
} as const;

const isRedisUnavailable = (error: Error): boolean =>
  !error.name.startsWith('PrismaClient') && REDIS_UNAVAILABLE.test(error.message);

const statusOf = (error: Error): number | undefined => {
  if ('getStatus' in error && typeof error.getStatus === 'function') return error.getStatus() as number;
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
};

/** Converts any thrown value to an error that a client may see. */
export function convertError(error: unknown, isDatabaseUnavailable: (error: unknown) => boolean): GatewayError {
  if (isGatewayError(error)) return error;
  if (!(error instanceof Error))
    return new GatewayError('internal_error', 'The server had an error while processing your request.');
  const known = BY_STATUS[statusOf(error) as keyof typeof BY_STATUS];
  if (known !== undefined) return new GatewayError(known[0], known[1]);
  if (isDatabaseUnavailable(error) || isRedisUnavailable(error)) {
    const message = 'The service is not available. Try again in a moment.';
    return new GatewayError('service_unavailable', message, { retryAfterMs: RETRY_AFTER_MS });
  }
  return new GatewayError('internal_error', 'The server had an error while processing your request.');
}
