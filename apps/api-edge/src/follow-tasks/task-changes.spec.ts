import { type DurableRequest, encodeRequestEnd } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TaskChanges } from './task-changes.service.js';

describe('TaskChanges', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const never = new AbortController().signal;

  /** True if the promise has resolved after two microtask turns. */
  async function isWoken(waiting: Promise<void>): Promise<boolean> {
    let woken = false;
    void waiting.then(() => {
      woken = true;
    });
    await Promise.resolve();
    await Promise.resolve();
    return woken;
  }

  it('wakes all waiters of a task, and no others', async () => {
    const changes = new TaskChanges();
    const [one, two, other] = [changes.next('a', never), changes.next('a', never), changes.next('b', never)];
    changes.notify('a');
    expect([await isWoken(one), await isWoken(two), await isWoken(other)]).toEqual([true, true, false]);
    expect(await isWoken(changes.next('a', never))).toBe(false);
  });

  it('does not wake who waits for the end when it begins', async () => {
    const changes = new TaskChanges();
    const [any, end] = [changes.next('a', never), changes.next('a', never, 'end')];
    changes.notify('a', true);
    expect([await isWoken(any), await isWoken(end)]).toEqual([true, false]);
    changes.notify('a');
    expect(await isWoken(end)).toBe(true);
  });

  it('gives the end of a request to the one that expects it, and leaves no timer', async () => {
    const changes = new TaskChanges();
    const request = { requestId: 'a', status: 'queued', finishedAtMs: null } as unknown as DurableRequest;
    const ended = { ...request, status: 'failed', finishedAtMs: 5, response: null } as DurableRequest;
    const expected = changes.nextEnd('a', new AbortController());
    changes.notify('a', true);
    changes.notifyEnd(encodeRequestEnd(ended) ?? '');
    expect((await expected)?.(request)).toEqual(ended);
    const given = new AbortController();
    const unknown = changes.nextEnd('a', given);
    given.abort();
    expect([await unknown, jest.getTimerCount()]).toEqual([undefined, 0]);
    changes.notifyEnd(encodeRequestEnd(ended) ?? '');
  });

  it('wakes after two seconds, because a published change may be lost', async () => {
    const waiting = new TaskChanges().next('a', never);
    jest.advanceTimersByTime(1_999);
    expect(await isWoken(waiting)).toBe(false);
    jest.advanceTimersByTime(1);
    expect(await isWoken(waiting)).toBe(true);
  });

  it('wakes at once when its signal aborts, and leaves no timer', async () => {
    const changes = new TaskChanges();
    const stop = new AbortController();
    const waiting = changes.next('a', stop.signal);
    stop.abort();
    expect([await isWoken(waiting), await isWoken(changes.next('a', stop.signal))]).toEqual([true, true]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
