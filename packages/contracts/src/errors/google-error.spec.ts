import { describe, expect, it } from '@jest/globals';
import { errorStatus, renderError } from './dialects.js';
import { ERRORS, type ErrorCode } from './error-table.js';
import type { ErrorRecord } from './gateway-error.js';

const rendered = (code: ErrorCode, more: Partial<ErrorRecord> = {}) =>
  renderError('google', { code, message: 'No.', ...more }, 'req_1') as {
    readonly error: { readonly code: number; readonly status: string; readonly details: readonly object[] };
  };

const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;

describe("an error in Google's form", () => {
  it.each([
    ['invalid_request', 400, 'INVALID_ARGUMENT'],
    ['invalid_api_key', 401, 'UNAUTHENTICATED'],
    ['insufficient_balance', 402, 'FAILED_PRECONDITION'],
    ['permission_denied', 403, 'PERMISSION_DENIED'],
    ['model_not_found', 404, 'NOT_FOUND'],
    ['endpoint_model_mismatch', 404, 'NOT_FOUND'],
    ['rate_limit_exceeded', 429, 'RESOURCE_EXHAUSTED'],
    ['internal_error', 500, 'INTERNAL'],
    ['upstream_unavailable', 503, 'UNAVAILABLE'],
    ['upstream_timeout', 504, 'DEADLINE_EXCEEDED'],
  ] as const)('%s is %i %s', (code, status, name) => {
    expect(rendered(code).error).toMatchObject({ code: status, message: 'No.', status: name });
    expect(errorStatus('google', { code, message: 'No.' })).toBe(status);
  });

  it('has a status name for every error', () => {
    for (const code of Object.keys(ERRORS) as ErrorCode[]) expect(rendered(code).error.status).not.toBe('UNKNOWN');
  });

  it('says when to retry, in the form that client libraries read', () => {
    expect(rendered('rate_limit_exceeded', { retryAfterMs: 1_500 }).error.details).toContainEqual({
      '@type': type('RetryInfo'),
      retryDelay: '1.5s',
    });
    const never = rendered('upstream_timeout', { mayHaveBegun: true }).error.details;
    expect(JSON.stringify(never)).not.toContain('RetryInfo');
  });

  it('names the field, the reason and the request', () => {
    expect(rendered('invalid_request', { param: 'contents[0]' }).error.details).toEqual([
      { '@type': type('ErrorInfo'), reason: 'INVALID_REQUEST', domain: 'gateway' },
      { '@type': type('BadRequest'), fieldViolations: [{ field: 'contents[0]', description: 'No.' }] },
      { '@type': type('RequestInfo'), requestId: 'req_1' },
    ]);
  });
});
