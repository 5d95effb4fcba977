import { describe, expect, it } from '@jest/globals';
import { connectionRefusal } from './refuse-connection.js';

describe('connectionRefusal', () => {
  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'request_timeout'],
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'headers_too_large'],
    ['HPE_INVALID_METHOD', '400 Bad Request', 'invalid_request'],
    [undefined, '400 Bad Request', 'invalid_request'],
  ])('responds to %s with %s in Style A, with a request id and a length', (errorCode, status, code) => {
    const [head = '', body = ''] = connectionRefusal(errorCode, 'req_x').split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
    expect(head).toContain('x-request-id: req_x');
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
    expect(JSON.parse(body)).toMatchObject({ error: { type: 'invalid_request_error', code } });
  });
});
