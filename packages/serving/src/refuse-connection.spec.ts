import { describe, expect, it } from '@jest/globals';
import { connectionRefusal } from './refuse-connection.js';

describe('connectionRefusal', () => {
  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_timeout'],
    ['HPE_HEADER_OVERFLOW', 431, 'headers_too_large'],
    ['HPE_INVALID_METHOD', 400, 'invalid_request'],
    [undefined, 400, 'invalid_request'],
  ])('responds to %s with %i in Style A, with a request id and a length', (errorCode, status, code) => {
    const [head = '', body = ''] = connectionRefusal(errorCode, 'req_x').split('\r\n\r\n');
    expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(head).toContain('x-request-id: req_x');
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
    expect(JSON.parse(body)).toMatchObject({ error: { type: 'invalid_request_error', code } });
  });
});
