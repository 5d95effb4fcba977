import { ADDRESS_REFUSED, HttpFailure } from '@gateway/http';
import { describe, expect, it } from '@jest/globals';
import { classifyHttpFailure, classifyStatus } from './classify-attempt.js';

describe('classifyStatus', () => {
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
  ])('classifies %i as %s', (status, reason, error) => {
    expect(classifyStatus(status)).toEqual({ reason, error });
  });
});

describe('classifyHttpFailure', () => {
  const failure = (kind: 'connect' | 'ambiguous' | 'aborted', code: string, isTimeout = false) =>
    classifyHttpFailure(new HttpFailure(kind, { wasSent: kind !== 'connect', isTimeout, code }));

  it.each([
    ['connect', ADDRESS_REFUSED, false, 'address_refused', 'address_refused'],
    ['connect', 'UND_ERR_CONNECT_TIMEOUT', true, 'timeout', 'timeout'],
    ['aborted', 'ABORTED', true, 'timeout', 'timeout'],
    ['connect', 'ENOTFOUND', false, 'name_not_found', 'name_not_found: ENOTFOUND'],
    ['connect', 'CERT_HAS_EXPIRED', false, 'tls', 'tls: CERT_HAS_EXPIRED'],
    ['connect', 'ERR_TLS_CERT_ALTNAME_INVALID', false, 'tls', 'tls: ERR_TLS_CERT_ALTNAME_INVALID'],
    ['connect', 'ECONNREFUSED', false, 'not_connected', 'not_connected: ECONNREFUSED'],
    ['ambiguous', 'ECONNRESET', false, 'connection_broken', 'connection_broken'],
  ] as const)('classifies %s %s', (kind, code, isTimeout, reason, error) => {
    expect(failure(kind, code, isTimeout)).toMatchObject({ status: null, reason, error });
  });
});
