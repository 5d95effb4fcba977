import { UpstreamRejection } from '@gateway/channels';
import { GatewayError } from '@gateway/contracts';
import { HttpFailure, type HttpFailureKind } from '@gateway/http';
import type { FailureKind } from '@gateway/upstreams';
import { describe, expect, it } from '@jest/globals';
import { judgeSubmission } from './judge-submission.js';

const refused = (kind: FailureKind) =>
  new UpstreamRejection({ kind, error: new GatewayError('upstream_error', 'No.'), retryAfterMs: undefined });

const broken = (kind: HttpFailureKind, wasSent: boolean) =>
  new HttpFailure(kind, { wasSent, isTimeout: false, code: 'X' });

describe('a submission that failed', () => {
  it.each([
    ['request', 400, false],
    ['throttled', 429, true],
    ['credential', 401, true],
    ['model', 404, true],
    ['server', 503, true],
  ] as const)('as %s (%i) was not taken; may another channel be asked: %s', (kind, status, mayRetry) => {
    expect(judgeSubmission(refused(kind), status)).toMatchObject({ isUnclear: false, mayRetry });
  });

  it.each([500, 502, 504])('with %i may have been taken: nobody asks again', (status) => {
    expect(judgeSubmission(refused('server'), status)).toMatchObject({ isUnclear: true, mayRetry: false });
  });

  it('on a connection that was never made was not taken', () => {
    expect(judgeSubmission(broken('connect', false), undefined)).toMatchObject({ isUnclear: false, mayRetry: true });
    expect(judgeSubmission(broken('aborted', false), undefined)).toMatchObject({ isUnclear: false });
  });

  it.each(['ambiguous', 'aborted', 'too_large'] as const)('after it was sent (%s) may have been taken', (kind) => {
    expect(judgeSubmission(broken(kind, true), undefined)).toMatchObject({ isUnclear: true, mayRetry: false });
  });

  it('that got no answer in time is told as a time-out', () => {
    const late = new HttpFailure('aborted', { wasSent: true, isTimeout: true, code: 'ABORTED' });
    expect(judgeSubmission(late, undefined)?.error.code).toBe('upstream_timeout');
    expect(judgeSubmission(broken('ambiguous', true), undefined)?.error.code).toBe('upstream_error');
  });

  it('with an answer that cannot be read may have been taken', () => {
    const unreadable = new GatewayError('upstream_error', 'Not JSON.');
    expect(judgeSubmission(unreadable, 200)).toMatchObject({ isUnclear: true, mayRetry: false });
  });

  it('because it cannot be said in the protocol was never sent', () => {
    const unsayable = new GatewayError('invalid_request', 'No.');
    expect(judgeSubmission(unsayable, undefined)).toMatchObject({ isUnclear: false, mayRetry: false });
  });

  it('by a fault of ours is judged by nobody here', () => {
    expect(judgeSubmission(new TypeError('oops'), undefined)).toBeUndefined();
  });
});
