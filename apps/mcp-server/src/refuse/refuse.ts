import { ERRORS, type ErrorCode, GatewayError, isGatewayError } from '@gateway/contracts';
import type { FastifyReply } from 'fastify';

/** What the framework refuses, by the status that it gives it. */
const BY_STATUS: Readonly<Record<number, readonly [code: ErrorCode, words: string]>> = {
  400: ['invalid_request', 'The request is not well-formed.'],
  404: ['not_found', 'There is no such route: tools are called at /mcp.'],
  405: ['method_not_allowed', 'Method not allowed.'],
  413: ['request_too_large', 'The body of the request is too large.'],
  415: ['unsupported_media_type', "Unsupported content type: send 'application/json'."],
};

/** JSON-RPC's own numbers, and the one for what a server refuses for reasons of its own. */
const NUMBERS: Readonly<Partial<Record<ErrorCode, number>>> = { invalid_json: -32_700, invalid_request: -32_600 };
const REFUSED = -32_000;

const statusOf = (error: object): number | undefined => {
  if ('getStatus' in error && typeof error.getStatus === 'function') return error.getStatus() as number;
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
};

/** Any thrown thing as the gateway's error. What is not ours says nothing of our inside. */
export function toGatewayError(error: unknown): GatewayError {
  if (isGatewayError(error)) return error;
  const status = typeof error === 'object' && error !== null ? statusOf(error) : undefined;
  const known = status === undefined ? undefined : BY_STATUS[status];
  if (known !== undefined) return new GatewayError(...known);
  return new GatewayError('internal_error', 'The server had an error while processing your request.');
}

/** Refuses a request before the protocol saw it: with the status that says why, and a body that its clients can read. */
export function refuse(error: GatewayError, reply: FastifyReply): void {
  const { status } = ERRORS[error.code];
  const { retryAfterMs, param } = error.details;
  const requestId = String(reply.request.id);
  if (retryAfterMs !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterMs / 1_000)));
  // Without an address of metadata: a client would look for a login there, and there is none.
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
          code: NUMBERS[error.code] ?? REFUSED,
          message: error.message,
          data: { code: error.code, ...(param !== undefined && { param }), request_id: requestId },
        },
      }),
    );
}
