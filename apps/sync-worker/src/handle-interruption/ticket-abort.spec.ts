import { type AbortContract, GatewayError, RequestTakenOver, requestAbortReason } from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeClaim } from '../test-support/fakes.js';
import { errorForClient } from './error-for-client.js';
import { DeadlinePassed, DetachedTooLong, TicketAbort } from './ticket-abort.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const DEADLINE_MS = 1_000;

function setUp(abortContract?: AbortContract, { isGone = false, deadlineInMs = DEADLINE_MS } = {}) {
  const claimed = new FakeClaim();
  if (isGone) claimed.abort('edge_lost');
  const stop = new AbortController();
  const calls: string[] = [];
  const nowMs = Date.now();
  const abort = new TicketAbort({
    claimed,
    stop: stop.signal,
    ticket: { abortContract, admittedAtMs: nowMs, deadlineMs: nowMs + deadlineInMs },
    onDetached: () => calls.push('detached'),
    onOrphaned: () => calls.push('orphaned'),
  });
  const reason = (): unknown => requestAbortReason(abort.signal) ?? abort.signal.reason;
  return { abort, claimed, stop, calls, reason };
}

describe('TicketAbort', () => {
  it('aborts with the first reason', () => {
    const { claimed, stop, reason } = setUp();
    claimed.abort('edge_lost');
    stop.abort('stop');
    expect(reason()).toBe('edge_lost');
  });

  it('is aborted from the start if the request already is', () => {
    expect(setUp('stops', { isGone: true }).reason()).toBe('edge_lost');
  });

  it('aborts at the deadline, and at once for a deadline in the past', () => {
    const { abort } = setUp();
    const late = setUp('stops', { deadlineInMs: -1 }).abort;
    jest.advanceTimersByTime(DEADLINE_MS - 1);
    expect([abort.signal.aborted, late.signal.aborted]).toEqual([false, true]);
    jest.advanceTimersByTime(1);
    expect(abort.signal.reason).toBeInstanceOf(DeadlinePassed);
  });

  const abortAfter = (leftMs: number | undefined, lastsMs: number): AbortSignal => {
    // A clock that was set ahead by an hour.
    const admittedAtMs = Date.now() - 3_600_000;
    const claimed = new FakeClaim();
    return new TicketAbort({
      claimed: leftMs === undefined ? claimed : Object.assign(claimed, { leftMs }),
      stop: new AbortController().signal,
      ticket: { abortContract: undefined, admittedAtMs, deadlineMs: admittedAtMs + lastsMs },
      onDetached: () => undefined,
      onOrphaned: () => undefined,
    }).signal;
  };

  it.each([
    ['a minute less at most, for a request of an edge', undefined, 540_000],
    ['what its store says, for a kept request', 300_000, 300_000],
  ])('has, by a clock that differs, %s', (_what, leftMs, expectedMs) => {
    const signal = abortAfter(leftMs, 600_000);
    jest.advanceTimersByTime(expectedMs - 1);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal.aborted).toBe(true);
  });

  it('has no deadline once the response has begun, but still follows its signals', () => {
    const { abort, stop, reason } = setUp();
    abort.onBegun();
    jest.advanceTimersByTime(10 * DEADLINE_MS);
    expect(abort.signal.aborted).toBe(false);
    stop.abort('stop');
    expect(reason()).toBe('stop');
  });

  it('follows nothing once it is disposed', () => {
    const { abort, claimed, stop, calls } = setUp('completes');
    abort.dispose();
    stop.abort('stop');
    claimed.leave();
    claimed.abort('edge_lost');
    jest.advanceTimersByTime(10 * DEADLINE_MS);
    expect([abort.signal.aborted, calls]).toEqual([false, []]);
  });
});

describe('a client that leaves a request that stops', () => {
  it.each(['client_closed', 'slow_client'] as const)('cancels a call that was not sent at once: %s', (why) => {
    const { claimed, reason } = setUp('stops');
    claimed.abort(why);
    expect(reason()).toBe(why);
  });

  it('cancels a call that was sent once it has begun: its first bytes bring the count of the prompt', () => {
    const { abort, claimed, reason } = setUp('stops');
    abort.onSent(true);
    claimed.abort('client_closed');
    expect(abort.signal.aborted).toBe(false);
    abort.onBegun();
    expect(reason()).toBe('client_closed');
  });

  it('cancels before the retry of a call that was rejected', () => {
    const { abort, claimed, reason } = setUp('stops');
    abort.onSent(true);
    claimed.abort('client_closed');
    abort.onSent(false);
    expect(reason()).toBe('client_closed');
  });

  it('cancels at once if the edge is gone, which is not the fault of its client', () => {
    const { abort, claimed, reason } = setUp('stops');
    abort.onSent(true);
    claimed.abort('edge_lost');
    expect(reason()).toBe('edge_lost');
  });

  it('does not wait beyond the deadline', () => {
    const { abort, claimed } = setUp('stops');
    abort.onSent(true);
    claimed.abort('client_closed');
    jest.advanceTimersByTime(DEADLINE_MS);
    expect(abort.signal.reason).toBeInstanceOf(DeadlinePassed);
  });
});

describe('a client that leaves a request that completes', () => {
  it('cancels a call that was not sent', () => {
    const { claimed, reason, calls } = setUp('completes');
    claimed.leave();
    expect([reason(), calls]).toEqual(['client_closed', []]);
  });

  it('changes nothing once the call was sent, also if the edge is lost afterwards', () => {
    const { abort, claimed, calls } = setUp('completes');
    abort.onSent(true);
    claimed.leave();
    expect([abort.isDetached, calls]).toEqual([true, ['detached']]);
    claimed.abort('edge_draining');
    expect([abort.signal.aborted, calls]).toEqual([false, ['detached', 'orphaned']]);
  });

  it('limits the response, from then on, to the time that a response may take to begin', () => {
    const { abort, claimed } = setUp('completes');
    abort.onSent(true);
    jest.advanceTimersByTime(DEADLINE_MS - 1);
    claimed.leave();
    abort.onBegun();
    jest.advanceTimersByTime(DEADLINE_MS - 1);
    expect(abort.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(abort.signal.reason).toBeInstanceOf(DetachedTooLong);
  });

  it('detaches nothing that this worker has ended already', () => {
    const { abort, claimed, stop, calls } = setUp('completes');
    abort.onSent(true);
    stop.abort('stop');
    claimed.leave();
    expect([abort.isDetached, calls]).toEqual([false, []]);
  });

  it('ends with this worker', () => {
    const { abort, claimed, stop, reason } = setUp('completes');
    abort.onSent(true);
    claimed.leave();
    stop.abort('stop');
    expect(reason()).toBe('stop');
  });

  it('ends once another worker has the request', () => {
    const { abort, claimed, calls, reason } = setUp('completes');
    abort.onSent(true);
    claimed.leave();
    const takenOver = new RequestTakenOver('req_1');
    claimed.takeOver(takenOver);
    expect([reason(), calls]).toEqual([takenOver, ['detached']]);
  });

  it('is cancelled with its edge if the client was still there', () => {
    const { abort, claimed, reason } = setUp('completes');
    abort.onSent(true);
    claimed.abort('edge_lost');
    expect([reason(), abort.isDetached]).toEqual(['edge_lost', false]);
  });
});

describe('errorForClient', () => {
  const broken = new HttpFailure('ambiguous', { wasSent: true, isTimeout: false, code: 'E' });

  it.each([
    [
      'a GatewayError as it is, also while stopping',
      new GatewayError('invalid_request', 'No.'),
      true,
      'invalid_request',
    ],
    ['a passed deadline', new DeadlinePassed(), false, 'upstream_timeout'],
    ['a detached response without an end', new DetachedTooLong(), false, 'upstream_timeout'],
    ['anything while stopping', broken, true, 'worker_lost'],
    ['a broken connection', broken, false, 'upstream_error'],
    ['a fault of ours, which has none', new TypeError('bug'), false, undefined],
  ])('maps %s', (_, thrown, isStopping, code) => {
    expect(errorForClient(thrown, isStopping)?.code).toBe(code);
  });
});
