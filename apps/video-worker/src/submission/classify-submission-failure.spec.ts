import { UpstreamRejection } from '@gateway/channels';
import { GatewayError } from '@gateway/contracts';
import { HttpFailure, type HttpFailureKind } from '@gateway/http';
import type { FailureKind } from '@gateway/upstreams';
import { describe, expect, it } from '@jest/globals';
import { classifySubmissionFailure } from './classify-submission-failure.js';

const rejected = (kind: FailureKind) =>
  new UpstreamRejection({ kind, error: new GatewayError('upstream_error', 'No.'), retryAfterMs: undefined });

const broken = (kind: HttpFailureKind, wasSent: boolean) =>
  new HttpFailure(kind, { wasSent, isTimeout: false, code: 'X' });

describe('classifySubmissionFailure', () => {
  it.each([
    ['request', 400, false],
    ['throttled', 429, true],
    ['credential', 401, true],
    ['model', 404, true],
    ['server', 503, true],
  ] as const)('is certain about %s (%i); another channel may be tried: %s', (kind, status, mayRetry) => {
    expect(classifySubmissionFailure(rejected(kind), status)).toMatchObject({ isAmbiguous: false, mayRetry });
  });

  it.each([500, 502, 504])('is ambiguous about status %i and forbids a retry', (status) => {
    expect(classifySubmissionFailure(rejected('server'), status)).toMatchObject({ isAmbiguous: true, mayRetry: false });
  });

  it('is certain about a connection that was never made', () => {
    expect(classifySubmissionFailure(broken('connect', false), undefined)).toMatchObject({
      isAmbiguous: false,
      mayRetry: true,
    });
    expect(classifySubmissionFailure(broken('aborted', false), undefined)).toMatchObject({ isAmbiguous: false });
  });

  it.each(['ambiguous', 'aborted', 'too_large'] as const)(
    'is ambiguous about a failure after the request was sent (%s)',
    (kind) => {
      expect(classifySubmissionFailure(broken(kind, true), undefined)).toMatchObject({
        isAmbiguous: true,
        mayRetry: false,
      });
    },
  );

  it('reports a missing response as a time-out', () => {
    const late = new HttpFailure('aborted', { wasSent: true, isTimeout: true, code: 'ABORTED' });
    expect(classifySubmissionFailure(late, undefined)?.error.code).toBe('upstream_timeout');
    expect(classifySubmissionFailure(broken('ambiguous', true), undefined)?.error.code).toBe('upstream_error');
  });

  it('is ambiguous about an unreadable response', () => {
    const unreadable = new GatewayError('upstream_error', 'Not JSON.');
    expect(classifySubmissionFailure(unreadable, 200)).toMatchObject({ isAmbiguous: true, mayRetry: false });
  });

  it('is certain about a request that the protocol cannot express', () => {
    const inexpressible = new GatewayError('invalid_request', 'No.');
    expect(classifySubmissionFailure(inexpressible, undefined)).toMatchObject({ isAmbiguous: false, mayRetry: false });
  });

  it('does not count a request that no channel has got against its channel', () => {
    const unbuilt = new GatewayError('service_unavailable', 'The thread failed.');
    const certain = { isAmbiguous: false, mayRetry: false, isChannelUnhealthy: false };
    expect(classifySubmissionFailure(unbuilt, undefined)).toMatchObject(certain);
    expect(classifySubmissionFailure(new GatewayError('upstream_error', 'Not JSON.'), 200)).toMatchObject({
      isChannelUnhealthy: true,
    });
  });

  it('does not classify a bug of this process', () => {
    expect(classifySubmissionFailure(new TypeError('oops'), undefined)).toBeUndefined();
  });
});
