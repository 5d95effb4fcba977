import { GatewayError } from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import type { FailureKind } from '@gateway/upstreams';
import { describe, expect, it } from '@jest/globals';
import { classifyUpstreamFailure, UpstreamRejection } from './classify-upstream-failure.js';

const ERROR = new GatewayError('upstream_error', 'No.');
const NO_COOLDOWN = { channelCooldownMs: 0, modelCooldownMs: 0 };
const CERTAIN = { isSpent: false, needsConfirmation: false };

const classifyRejection = (kind: FailureKind, retryAfterMs?: number) =>
  classifyUpstreamFailure(new UpstreamRejection({ kind, error: ERROR, retryAfterMs }));

const transport = (kind: HttpFailure['kind'], isTimeout = false) =>
  classifyUpstreamFailure(new HttpFailure(kind, { wasSent: kind !== 'connect', isTimeout, code: 'E' }));

describe('a rejection by the upstream', () => {
  it.each([
    ['request', { mayRetry: false, isChannelUnhealthy: false, isCredentialRejected: false, ...NO_COOLDOWN }],
    ['server', { mayRetry: true, isChannelUnhealthy: true, isCredentialRejected: false, ...NO_COOLDOWN }],
    [
      'throttled',
      {
        mayRetry: true,
        isChannelUnhealthy: false,
        isCredentialRejected: false,
        channelCooldownMs: 0,
        modelCooldownMs: 1_000,
      },
    ],
    [
      'credential',
      {
        mayRetry: true,
        isChannelUnhealthy: false,
        isCredentialRejected: true,
        channelCooldownMs: 60_000,
        modelCooldownMs: 0,
      },
    ],
    [
      'model',
      {
        mayRetry: true,
        isChannelUnhealthy: false,
        isCredentialRejected: true,
        channelCooldownMs: 0,
        modelCooldownMs: 60_000,
      },
    ],
  ] as const)('of kind %s has these consequences', (kind, consequences) => {
    expect(classifyRejection(kind)).toEqual({ error: ERROR, ...CERTAIN, ...consequences });
  });

  it('that the client may have caused, or of a spent account, says so', () => {
    const failure = { kind: 'credential', error: ERROR, retryAfterMs: undefined } as const;
    const verdict = classifyUpstreamFailure(
      new UpstreamRejection({ ...failure, isSpent: true, needsConfirmation: true }),
    );
    expect(verdict).toMatchObject({ isSpent: true, needsConfirmation: true, isCredentialRejected: true });
  });

  it('cools down for the time that a throttling upstream reports', () => {
    expect(classifyRejection('throttled', 7_500)?.modelCooldownMs).toBe(7_500);
    expect(classifyRejection('throttled', 86_400_000)?.modelCooldownMs).toBe(300_000);
  });
});

describe('a transport failure', () => {
  it('is retried only if nothing was sent', () => {
    expect([transport('connect'), transport('ambiguous'), transport('too_large')].map((it) => it?.mayRetry)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('counts for the breakers, without a cooldown', () => {
    expect(transport('connect')).toMatchObject({ isChannelUnhealthy: true, ...NO_COOLDOWN });
  });

  it('is a time-out for the client only if the request was sent', () => {
    expect(transport('ambiguous', true)?.error.code).toBe('upstream_timeout');
    expect(transport('ambiguous')?.error.code).toBe('upstream_error');
    expect(transport('connect', true)?.error.code).toBe('upstream_error');
  });
});

describe('a GatewayError of a protocol', () => {
  it.each([
    ['upstream_error', true],
    ['upstream_timeout', true],
    ['invalid_request', false],
    ['unsupported_value', false],
    ['service_unavailable', false],
  ] as const)('%s is not retried; counts for the breakers: %s', (code, isChannelUnhealthy) => {
    const error = new GatewayError(code, 'No.');
    expect(classifyUpstreamFailure(error)).toEqual({
      error,
      mayRetry: false,
      isChannelUnhealthy,
      isCredentialRejected: false,
      ...CERTAIN,
      ...NO_COOLDOWN,
    });
  });
});

it('leaves every other error to the caller', () => {
  expect(classifyUpstreamFailure(new TypeError('bug'))).toBeUndefined();
});
