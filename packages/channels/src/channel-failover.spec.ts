import { GatewayError, type UpstreamAttempt } from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import type { ClassifiedFailure, FailureKind } from '@gateway/upstreams';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ChannelSettings } from './channel.js';
import { ChannelCloser } from './channel-closer.js';
import { ChannelFailover } from './channel-failover.js';
import { ChannelSelector } from './channel-selector.js';
import { classifyUpstreamFailure, UpstreamRejection } from './classify-upstream-failure.js';
import type { AttemptRecord, FailoverCall, RejectedCredential, SuspicionOutcome } from './failover-call.js';
import type { ProbeResult } from './model-list-probe.js';

type Attempt = (channel: ChannelSettings, record: AttemptRecord, release: () => void) => Promise<string>;

const rejection = (kind: FailureKind, retryAfterMs?: number, more: Partial<ClassifiedFailure> = {}) =>
  new UpstreamRejection({ kind, error: new GatewayError(ERROR_CODES[kind], 'No.'), retryAfterMs, ...more });

/** A rejection that the client's request may have caused. */
const suspected = (kind: FailureKind = 'model') => rejection(kind, undefined, { needsConfirmation: true });

const ERROR_CODES = {
  request: 'invalid_request',
  throttled: 'upstream_unavailable',
  credential: 'upstream_unavailable',
  model: 'upstream_unavailable',
  server: 'upstream_error',
} as const;

const settingsOf = (id: string): ChannelSettings => ({
  id,
  vendor: 'openai',
  baseUrl: 'http://localhost',
  credential: id,
  weight: 1,
});

let selector: ChannelSelector;
let failover: ChannelFailover;
let rejected: RejectedCredential[];
let suspicions: SuspicionOutcome[];
let spent: string[];
/** What the vendor says to a probe, and the models that were asked for. */
let probeResult: ProbeResult;
let probed: string[];
let attempts: UpstreamAttempt[];
/** Channel ids in the order of the attempts. */
let called: string[];

function configure(ids: readonly string[], testIds: readonly string[] = []): void {
  selector = new ChannelSelector(
    { channels: ids.map(settingsOf), testChannels: testIds.map(settingsOf) },
    () => undefined,
  );
  rejected = [];
  suspicions = [];
  spent = [];
  probed = [];
  probeResult = 'listed';
  const probe = {
    check: async (_: ChannelSettings, upstreamModel: string) => {
      probed.push(upstreamModel);
      return probeResult;
    },
  };
  const closer = new ChannelCloser(probe, {
    onRejectedCredential: (credential) => rejected.push(credential),
    onSpentAccount: ({ channel }) => spent.push(channel),
    onSuspicion: (_, outcome) => suspicions.push(outcome),
  });
  failover = new ChannelFailover(selector, closer);
}

/** Runs one call; the attempts play `script` in order, the last entry for all further ones. */
function run(script: readonly (Error | string)[], overrides: Partial<FailoverCall<string>> = {}) {
  attempts = [];
  called = [];
  const attempt: Attempt = async (channel) => {
    called.push(channel.id);
    const step = script[Math.min(called.length, script.length) - 1];
    if (step instanceof Error) throw step;
    return String(step);
  };
  return failover.run<string, NonNullable<ReturnType<typeof classifyUpstreamFailure>>>({
    vendor: 'openai',
    publicModel: 'm',
    upstreamModel: 'vendor-m',
    accountId: 'acct_a',
    isTest: false,
    signal: new AbortController().signal,
    attempts,
    run: attempt,
    isStillRunning: () => false,
    classifyFailure: classifyUpstreamFailure,
    ...overrides,
  });
}

const errorOf = (outcome: Awaited<ReturnType<typeof run>>): GatewayError => {
  if ('result' in outcome) throw new Error('expected a failure');
  return outcome.error;
};

beforeEach(() => configure(['a', 'b']));
afterEach(() => void jest.restoreAllMocks());

describe('a failed attempt', () => {
  it.each([
    ['a connection that was refused', new HttpFailure('connect', { wasSent: false, isTimeout: false, code: 'E' })],
    ['a throttled credential', rejection('throttled')],
    ['a rejected credential', rejection('credential')],
    ['a credential without this model', rejection('model')],
    ['an upstream error status', rejection('server')],
  ])('is retried on another channel after %s', async (_, failure) => {
    expect(await run([failure, 'ok'])).toEqual({ result: 'ok' });
    expect(new Set(called)).toEqual(new Set(['a', 'b']));
  });

  it.each([
    [
      'the request was sent',
      new HttpFailure('ambiguous', { wasSent: true, isTimeout: false, code: 'E' }),
      'upstream_error',
    ],
    ['it timed out', new HttpFailure('ambiguous', { wasSent: true, isTimeout: true, code: 'E' }), 'upstream_timeout'],
    [
      'the response was too long',
      new HttpFailure('too_large', { wasSent: true, isTimeout: false, code: 'E' }),
      'upstream_error',
    ],
    ['the request was invalid', rejection('request'), 'invalid_request'],
    ['the response was malformed', new GatewayError('upstream_error', 'No.'), 'upstream_error'],
  ])('is not retried if %s', async (_, failure, code) => {
    const outcome = await run([failure, 'ok']);
    expect(errorOf(outcome).code).toBe(code);
    expect(outcome).toMatchObject({ verdict: { mayRetry: false } });
    expect(called).toHaveLength(1);
  });

  it('is thrown as it is if it is a fault of ours', async () => {
    await expect(run([new TypeError('bug'), 'ok'])).rejects.toThrow('bug');
    expect([called.length, attempts]).toEqual([1, []]);
  });

  it('is recorded with its code, once for each attempt', async () => {
    await run([rejection('server'), 'ok'], {
      run: async (channel, record) => {
        called.push(channel.id);
        record.status = called.length === 1 ? 500 : 200;
        if (called.length === 1) throw rejection('server');
        return 'ok';
      },
    });
    expect(attempts).toEqual([
      {
        channel: called[0],
        status: 500,
        error: 'upstream_error',
        startedAtMs: expect.any(Number),
        endedAtMs: expect.any(Number),
      },
      { channel: called[1], status: 200, startedAtMs: expect.any(Number), endedAtMs: expect.any(Number) },
    ]);
  });

  it('throws the reason of the abort if the client has left', async () => {
    const abort = new AbortController();
    const reason = new Error('client left');
    const call = run(['unused'], {
      signal: abort.signal,
      run: async () => {
        abort.abort(reason);
        throw new HttpFailure('aborted', { wasSent: true, isTimeout: false, code: 'E' });
      },
    });
    await expect(call).rejects.toBe(reason);
    expect(attempts).toEqual([]);
  });
});

describe('retries', () => {
  it('end after three attempts with the last error', async () => {
    configure(['a', 'b', 'c', 'd']);
    expect(errorOf(await run([rejection('server')])).code).toBe('upstream_error');
    expect(new Set(called).size).toBe(3);
  });

  it('use the same channel again, after a delay, where there is no other one', async () => {
    configure(['only']);
    const startedAtMs = performance.now();
    expect(await run([rejection('server'), 'ok'])).toEqual({ result: 'ok' });
    expect(called).toEqual(['only', 'only']);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(49);
  });

  it('end early once the budget is spent', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const connect = new HttpFailure('connect', { wasSent: false, isTimeout: false, code: 'E' });
    let retries = 0;
    for (let request = 0; request < 12; request += 1) {
      await run([connect, 'ok'], { classifyFailure: unbrokenVerdict });
      retries += called.length - 1;
    }
    // Ten tokens at first, and a fifth of one for each request.
    expect(retries).toBe(12);
    for (let request = 0; request < 12; request += 1) {
      await run([connect], { classifyFailure: unbrokenVerdict });
      retries += called.length - 1;
    }
    expect(called).toHaveLength(1);
    expect(retries).toBe(14);
  });

  it('abort with the reason of the signal while they wait', async () => {
    configure(['only']);
    const abort = new AbortController();
    const reason = new Error('deadline');
    const call = run([rejection('server')], { signal: abort.signal });
    setTimeout(() => abort.abort(reason), 5);
    await expect(call).rejects.toBe(reason);
    expect(called).toEqual(['only']);
  });
});

describe('a cooldown', () => {
  it('is waited for if it is short', async () => {
    configure(['only']);
    expect(await run([rejection('throttled', 50), 'ok'])).toEqual({ result: 'ok' });
    expect(called).toEqual(['only', 'only']);
  });

  it('is not waited for above two seconds; the client gets its length as retry-after', async () => {
    configure(['only']);
    const error = errorOf(await run([rejection('throttled', 30_000), 'ok']));
    expect(called).toEqual(['only']);
    expect(error.code).toBe('upstream_unavailable');
    expect(error.details.retryAfterMs).toBeGreaterThan(29_000);
    const next = errorOf(await run(['ok']));
    expect([called, next.code]).toEqual([[], 'upstream_unavailable']);
    expect(next.details.retryAfterMs).toBeGreaterThan(29_000);
  });

  it('has a length in whole milliseconds, as the relay needs it', async () => {
    configure(['only']);
    await run([rejection('throttled', 30_000)]);
    const waits = [];
    for (let call = 0; call < 3; call += 1) waits.push(errorOf(await run(['ok'])).details.retryAfterMs);
    expect(waits.filter((wait) => !Number.isInteger(wait))).toEqual([]);
  });

  it('of a throttled model leaves every other model of its credential', async () => {
    configure(['only']);
    await run([rejection('throttled', 30_000)]);
    expect(await run(['ok'], { publicModel: 'other' })).toEqual({ result: 'ok' });
    expect(errorOf(await run(['ok'])).details.retryAfterMs).toBeGreaterThan(29_000);
  });

  it('holds for one model only where the credential lacks that model', async () => {
    configure(['only']);
    await run([rejection('model')]);
    expect(await run(['ok'], { publicModel: 'other' })).toEqual({ result: 'ok' });
    expect(errorOf(await run(['ok'])).code).toBe('upstream_unavailable');
    expect(rejected).toEqual([
      { channel: 'only', vendor: 'openai', model: 'm', status: undefined, cooldownMs: 60_000, confirmedBy: undefined },
    ]);
  });

  it('is reported to operators once for concurrent rejections of one credential', async () => {
    configure(['only']);
    const reject: Attempt = async (_, record) => {
      record.status = 401;
      await Promise.resolve();
      throw rejection('credential');
    };
    await Promise.all([run(['unused'], { run: reject }), run(['unused'], { run: reject })]);
    expect(rejected).toEqual([
      { channel: 'only', vendor: 'openai', model: undefined, status: 401, cooldownMs: 60_000, confirmedBy: undefined },
    ]);
  });
});

describe('content that another account at the vendor wrote', () => {
  const foreign = rejection('request', undefined, { isForeignContent: true });

  it('is tried on each channel once, however often, and closes none', async () => {
    configure(['a', 'b']);
    for (let request = 0; request < 30; request += 1) {
      expect(await run([foreign])).toMatchObject({ verdict: { isForeignContent: true } });
      expect([called.length, new Set(called).size]).toEqual([2, 2]);
    }
    expect(await run([foreign, 'ok'])).toEqual({ result: 'ok' });
    expect(rejected).toEqual([]);
  });
});

describe('a rejection that the client may have caused', () => {
  const asAccount = (accountId: string) => run([suspected()], { accountId });

  beforeEach(() => configure(['only']));

  it('closes nothing for one account, however often it repeats it', async () => {
    for (let call = 0; call < 5; call += 1) {
      expect(errorOf(await asAccount('acct_a')).code).toBe('upstream_unavailable');
      expect(called).toHaveLength(1);
    }
    expect(await run(['ok'], { accountId: 'acct_b' })).toEqual({ result: 'ok' });
    expect([rejected, new Set(suspicions), probed[0]]).toEqual([[], new Set(['unconfirmed']), 'vendor-m']);
  });

  it('is tried on another channel', async () => {
    configure(['a', 'b']);
    expect(await run([suspected(), 'ok'])).toEqual({ result: 'ok' });
    expect(new Set(called)).toEqual(new Set(['a', 'b']));
  });

  it('closes the model once a second account sees it within a minute', async () => {
    await asAccount('acct_a');
    await asAccount('acct_b');
    expect(rejected).toMatchObject([{ model: 'm', confirmedBy: 'second_account', cooldownMs: 60_000 }]);
    expect(errorOf(await run(['ok'])).details.retryAfterMs).toBeGreaterThan(59_000);
    expect(await run(['ok'], { publicModel: 'other' })).toEqual({ result: 'ok' });
  });

  it('is refuted by a success of any account in between', async () => {
    await asAccount('acct_a');
    await run(['ok'], { accountId: 'acct_c' });
    await asAccount('acct_b');
    expect(rejected).toEqual([]);
    expect(await run(['ok'])).toEqual({ result: 'ok' });
  });

  it('is forgotten after a minute', async () => {
    jest.useFakeTimers();
    try {
      await asAccount('acct_a');
      jest.advanceTimersByTime(60_000);
      await asAccount('acct_b');
    } finally {
      jest.useRealTimers();
    }
    expect(rejected).toEqual([]);
  });

  it.each([
    ['refused', undefined],
    ['model_missing', 'm'],
  ] as const)('is confirmed by a probe that reports %s', async (result, model) => {
    probeResult = result;
    await asAccount('acct_a');
    expect(rejected).toMatchObject([{ model, confirmedBy: 'probe' }]);
    expect(suspicions).toEqual(['probe']);
    const other = await run(['ok'], { publicModel: 'other' });
    expect('result' in other).toBe(model !== undefined);
    expect(errorOf(await run(['ok'])).code).toBe('upstream_unavailable');
  });
});

describe('a spent account', () => {
  it('is reported at once, also before its closing is confirmed', async () => {
    configure(['only']);
    await run([rejection('credential', undefined, { isSpent: true, needsConfirmation: true })]);
    expect([spent, rejected]).toEqual([['only'], []]);
    await run([rejection('credential', undefined, { isSpent: true })]);
    expect([spent.length, rejected.length]).toEqual([2, 1]);
  });
});

describe('an open breaker', () => {
  it('leaves a call without any attempt and without a verdict', async () => {
    configure(['only']);
    for (let call = 0; call < 5; call += 1) await run([new GatewayError('upstream_error', 'No.')]);
    const outcome = await run(['ok']);
    expect([called, outcome]).toEqual([[], { error: expect.any(GatewayError), verdict: undefined }]);
    expect(errorOf(outcome)).toMatchObject({ code: 'upstream_unavailable' });
    expect(errorOf(outcome).details.retryAfterMs).toBeGreaterThanOrEqual(1_000);
  });

  it('gives the client what is left of its pause as retry-after, for every error that may be retried', async () => {
    configure(['only']);
    jest.useFakeTimers();
    try {
      for (let call = 0; call < 5; call += 1) await run([new GatewayError('upstream_error', 'No.')]);
      jest.advanceTimersByTime(2_000);
      // The failed trial doubles the pause.
      const failed = errorOf(await run([new GatewayError('upstream_error', 'No.')]));
      expect([failed.code, failed.details.retryAfterMs]).toEqual(['upstream_error', 2_000]);
      jest.advanceTimersByTime(500);
      expect(errorOf(await run(['ok'])).details.retryAfterMs).toBe(1_500);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a model that fails for every account', () => {
  const fail = async () => {
    for (const accountId of ['a', 'b', 'c', 'd', 'e']) {
      await run([new GatewayError('upstream_error', 'No.')], { accountId, publicModel: 'down' });
    }
  };

  it('turns away no call for another model', async () => {
    configure(['only']);
    await fail();
    expect(errorOf(await run(['ok'], { publicModel: 'down' })).code).toBe('upstream_unavailable');
    expect(await run(['ok'], { publicModel: 'up' })).toEqual({ result: 'ok' });
  });

  it('is reported with the cooldowns, and its channel as broken until another model succeeds', async () => {
    configure(['only']);
    await fail();
    const nowMs = Date.now();
    const modelCooldowns = [{ model: 'down', cooldownMs: expect.any(Number) }];
    expect(failover.report(nowMs)).toMatchObject([{ isBroken: true, modelCooldowns }]);
    await run(['ok'], { publicModel: 'up' });
    expect(failover.report(nowMs)).toMatchObject([{ isBroken: false, modelCooldowns }]);
  });
});

describe('a required channel', () => {
  const requiring = (channelId: string) => ({
    requiredChannel: { channelId, whenGone: () => new GatewayError('not_found', 'Gone.') },
  });

  it('is the only one that is called, also for a retry', async () => {
    expect(await run([rejection('server'), 'ok'], requiring('b'))).toEqual({ result: 'ok' });
    expect(called).toEqual(['b', 'b']);
  });

  it('is waited for while it drains and cools down shortly, whatever the other channels do', async () => {
    failover.control([{ channelId: 'b', state: 'draining', weight: null }]);
    expect(await run([rejection('throttled', 50), 'ok'], requiring('b'))).toEqual({ result: 'ok' });
    expect(called).toEqual(['b', 'b']);
  });

  it('throws the error of the call if it is no longer configured', async () => {
    await expect(run(['ok'], requiring('removed'))).rejects.toMatchObject({ code: 'not_found' });
    expect(called).toEqual([]);
  });
});

describe('a test key', () => {
  it('is served by test channels only', async () => {
    configure(['vendor'], ['simulator']);
    expect(await run([rejection('server'), 'ok'], { isTest: true })).toEqual({ result: 'ok' });
    expect(called).toEqual(['simulator', 'simulator']);
  });

  it('is refused without any attempt if there is no test channel', async () => {
    const outcome = await run(['ok'], { isTest: true });
    expect([called, errorOf(outcome).code]).toEqual([[], 'service_unavailable']);
  });
});

describe('the slot of a channel', () => {
  const inFlight = () => selector.choose('openai', { accountId: 'acct_a', model: 'm' }, new Set())?.inFlight;

  it('is freed after a result and after a failure', async () => {
    configure(['only']);
    await run(['ok']);
    await run([new GatewayError('upstream_error', 'No.')]);
    expect(inFlight()).toBe(0);
  });

  it('stays taken while a stream runs, until its reader releases it', async () => {
    configure(['only']);
    let free: (() => void) | undefined;
    await run(['unused'], {
      isStillRunning: () => true,
      run: async (_channel, _record, release) => {
        free = release;
        return 'stream';
      },
    });
    expect(inFlight()).toBe(1);
    free?.();
    expect(inFlight()).toBe(0);
  });
});

/** Retries without any effect on breakers, so that only the budget limits them. */
function unbrokenVerdict(thrown: unknown) {
  const verdict = classifyUpstreamFailure(thrown);
  return verdict && { ...verdict, isChannelUnhealthy: false };
}
