import type { Socket } from 'node:net';
import { ERRORS, GatewayError, newRequestId, renderError } from '@gateway/contracts';

const WORDS: Readonly<Record<string, GatewayError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new GatewayError('request_timeout', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new GatewayError('headers_too_large', 'The headers of the request are too large.'),
};
const MALFORMED = new GatewayError('invalid_request', 'The request is not well-formed HTTP.');

/** The whole answer to what never became a request: in Style A and with a request id, like every other one. */
export function connectionRefusal(errorCode: string | undefined, requestId: string): string {
  const error = WORDS[errorCode ?? ''] ?? MALFORMED;
  const { status, canRetry } = ERRORS[error.code];
  const body = JSON.stringify(renderError('a', error.toRecord(), requestId));
  return [
    `HTTP/1.1 ${status} ${error.code}`,
    `x-request-id: ${requestId}`,
    `x-should-retry: ${canRetry}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Node's `clientError`: the parser gave up on a connection, or the request did not arrive in time. */
export function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(connectionRefusal(error.code, newRequestId()));
  socket.destroy(error);
}
