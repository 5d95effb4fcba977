import type { Socket } from 'node:net';
import { GatewayError, newRequestId } from '@gateway/contracts';
import { rawRefusal } from './raw-response.js';

const ERRORS_BY_CODE: Readonly<Record<string, GatewayError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new GatewayError('request_timeout', 'The request took too long to arrive.'),
  HPE_HEADER_OVERFLOW: new GatewayError('headers_too_large', 'The headers of the request are too large.'),
};
const MALFORMED = new GatewayError('invalid_request', 'The request is not well-formed HTTP.');

/** The raw HTTP response for a connection without a parsed request: Style A, with a request id. */
export const connectionRefusal = (errorCode: string | undefined, requestId: string): string =>
  rawRefusal(ERRORS_BY_CODE[errorCode ?? ''] ?? MALFORMED, 'a', requestId);

/** Handles Node's `clientError`: the request was malformed, or did not arrive in time. */
export function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(connectionRefusal(error.code, newRequestId()));
  socket.destroy(error);
}
