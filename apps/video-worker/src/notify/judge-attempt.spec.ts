import { ADDRESS_REFUSED, HttpFailure } from '@gateway/http';
import { describe, expect, it } from '@jest/globals';
import { classifyUpstreamFailure, judgeStatus } from './judge-attempt.js';

describe('an answer', () => {
  it.each([
    [200, 'none', null],
    [204, 'none', null],
    [299, 'none', null],
    [301, 'redirect', 'redirect_not_followed'],
    [304, 'redirect', 'redirect_not_followed'],
    [400, 'client_error', 'status'],
    [410, 'gone', 'gone'],
    [429, 'client_error', 'status'],
    [500, 'server_error', 'status'],
    [599, 'server_error', 'status'],
  ])('%i is %s', (status, reason, error) => {
    expect(judgeStatus(status)).toEqual({ reason, error });
  });
});

describe('a failure', () => {
  const failure = (kind: 'connect' | 'ambiguous' | 'aborted', code: string, isTimeout = false) =>
    classifyUpstreamFailure(new HttpFailure(kind, { wasSent: kind !== 'connect', isTimeout, code }));

  it.each([
    ['connect', ADDRESS_REFUSED, false, 'address_refused', 'address_refused'],
    ['connect', 'UND_ERR_CONNECT_TIMEOUT', true, 'timeout', 'timeout'],
    ['aborted', 'ABORTED', true, 'timeout', 'timeout'],
    ['connect', 'ENOTFOUND', false, 'name_not_found', 'name_not_found: ENOTFOUND'],
    ['connect', 'CERT_HAS_EXPIRED', false, 'tls', 'tls: CERT_HAS_EXPIRED'],
    ['connect', 'ERR_TLS_CERT_ALTNAME_INVALID', false, 'tls', 'tls: ERR_TLS_CERT_ALTNAME_INVALID'],
    ['connect', 'ECONNREFUSED', false, 'not_connected', 'not_connected: ECONNREFUSED'],
    ['ambiguous', 'ECONNRESET', false, 'connection_broken', 'connection_broken'],
  ] as const)('%s %s is told as what it is', (kind, code, isTimeout, reason, error) => {
    expect(failure(kind, code, isTimeout)).toMatchObject({ status: null, reason, error });
  });
});
