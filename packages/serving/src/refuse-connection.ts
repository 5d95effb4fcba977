import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, GatewayError, newRequestId, renderError } from '@gateway/contracts';
import { errorHeaders } from './error-headers.js';

const ERRORS_BY_CODE: Readonly<Record<string, GatewayError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new GatewayError('request_timeout', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new GatewayError('headers_too_large', 'The headers of the request are too large.'),
};
const MALFORMED = new GatewayError('invalid_request', 'The request is not well-formed HTTP.');

/** The raw HTTP response for a connection without a parsed request: Style A, with a request id. */
export function connectionRefusal(errorCode: string | undefined, requestId: string): string {
  const error = ERRORS_BY_CODE[errorCode ?? ''] ?? MALFORMED;
  const { status } = ERRORS[error.code];
  const body = JSON.stringify(renderError('a', error.toRecord(), requestId));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(errorHeaders(error)).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Handles Node's `clientError`: the request was malformed, or did not arrive in time. */
export function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(connectionRefusal(error.code, newRequestId()));
  socket.destroy(error);
}
