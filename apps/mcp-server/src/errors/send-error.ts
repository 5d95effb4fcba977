import { ERRORS, type ErrorCode, GatewayError, isGatewayError } from '@gateway/contracts';
import type { FastifyReply } from 'fastify';

/** Errors of Nest and Fastify, by status. */
const BY_STATUS: Readonly<Record<number, readonly [code: ErrorCode, message: string]>> = {
  400: ['invalid_request', 'The request is not well-formed.'],
  404: ['not_found', 'There is no such route: call tools at /mcp.'],
  405: ['method_not_allowed', 'Method not allowed.'],
  413: ['request_too_large', 'The body of the request is too large.'],
  415: ['unsupported_media_type', "Unsupported content type: send 'application/json'."],
};

/** JSON-RPC 2.0 error codes; -32000 is its code for server errors. */
const JSON_RPC_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_json: -32_700,
  invalid_request: -32_600,
};
const SERVER_ERROR_CODE = -32_000;

const statusOf = (error: object): number | undefined => {
  if ('getStatus' in error && typeof error.getStatus === 'function') return error.getStatus() as number;
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
};

/** Converts any thrown value. The message of a foreign error never reaches the client. */
export function toGatewayError(error: unknown): GatewayError {
  if (isGatewayError(error)) return error;
  const status = typeof error === 'object' && error !== null ? statusOf(error) : undefined;
  const known = status === undefined ? undefined : BY_STATUS[status];
  if (known !== undefined) return new GatewayError(...known);
  return new GatewayError('internal_error', 'The server had an error while processing your request.');
}

/** Rejects a request before the protocol library sees it, with an HTTP status and a JSON-RPC error body. */
export function sendError(error: GatewayError, reply: FastifyReply): void {
  const { status } = ERRORS[error.code];
  const { retryAfterMs, param } = error.details;
  const requestId = String(reply.request.id);
  if (retryAfterMs !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterMs / 1_000)));
  // No `resource_metadata`: clients would start an OAuth login, which this server does not have.
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="gateway", error="invalid_token"');
  if (status === 405) reply.header('allow', 'POST');
  reply
    .code(status)
    .header('x-request-id', requestId)
    .header('content-type', 'application/json; charset=utf-8')
    .send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: JSON_RPC_CODES[error.code] ?? SERVER_ERROR_CODE,
          message: error.message,
          data: { code: error.code, ...(param !== undefined && { param }), request_id: requestId },
        },
      }),
    );
}
