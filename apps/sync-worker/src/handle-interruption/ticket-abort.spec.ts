import { GatewayError } from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { errorForClient } from './error-for-client.js';
import { DeadlinePassed, TicketAbort } from './ticket-abort.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('TicketAbort', () => {
  it('aborts with the reason of the first signal that aborts', () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const abort = new TicketAbort([first.signal, second.signal], Date.now() + 1_000);
    second.abort('second');
    first.abort('first');
    expect([abort.signal.aborted, abort.signal.reason]).toEqual([true, 'second']);
  });

  it('is aborted from the start if a signal already is', () => {
    expect(new TicketAbort([AbortSignal.abort('gone')], Date.now() + 1_000).signal.reason).toBe('gone');
  });

  it('aborts at the deadline, and at once for a deadline in the past', () => {
    const abort = new TicketAbort([], Date.now() + 1_000);
    const late = new TicketAbort([], Date.now() - 1_000);
    jest.advanceTimersByTime(999);
    expect([abort.signal.aborted, late.signal.aborted]).toEqual([false, true]);
    jest.advanceTimersByTime(1);
    expect(abort.signal.reason).toBeInstanceOf(DeadlinePassed);
  });

  it('has no deadline once it is lifted, but still follows its signals', () => {
    const stop = new AbortController();
    const abort = new TicketAbort([stop.signal], Date.now() + 1_000);
    abort.liftDeadline();
    jest.advanceTimersByTime(10_000);
    expect(abort.signal.aborted).toBe(false);
    stop.abort('stop');
    expect(abort.signal.reason).toBe('stop');
  });

  it('follows nothing once it is disposed', () => {
    const stop = new AbortController();
    const abort = new TicketAbort([stop.signal], Date.now() + 1_000);
    abort.dispose();
    stop.abort('stop');
    jest.advanceTimersByTime(10_000);
    expect(abort.signal.aborted).toBe(false);
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
    ['anything while stopping', broken, true, 'worker_lost'],
    ['a broken connection', broken, false, 'upstream_error'],
    ['a fault of ours, which has none', new TypeError('bug'), false, undefined],
  ])('maps %s', (_, thrown, isStopping, code) => {
    expect(errorForClient(thrown, isStopping)?.code).toBe(code);
  });
});
