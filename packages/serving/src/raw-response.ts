import { STATUS_CODES } from 'node:http';
import { ERRORS, type ErrorDialect, type GatewayError, renderError } from '@gateway/contracts';
import { errorHeaders } from './error-headers.js';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** The bytes of an HTTP response for a connection that has no response object. The connection ends after it. */
export const rawResponse = (status: number, headers: Readonly<Record<string, string>>, body: string): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');

/** The same of an error, with the headers of every other error response. */
export function rawRefusal(error: GatewayError, dialect: ErrorDialect, requestId: string): string {
  const record = error.toRecord();
  return rawResponse(
    ERRORS[record.code].status,
    { 'x-request-id': requestId, ...errorHeaders(record), ...JSON_TYPE },
    JSON.stringify(renderError(dialect, record, requestId)),
  );
}
