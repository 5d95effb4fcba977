import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UsageTicker } from './usage-ticker.service.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('UsageTicker', () => {
  it('notifies its listeners four times a second', () => {
    const ticker = new UsageTicker();
    const listener = jest.fn();
    ticker.subscribe(listener);
    jest.advanceTimersByTime(1_000);
    expect(listener).toHaveBeenCalledTimes(4);
    ticker.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has no timer without a listener, and one for the next listener', () => {
    const ticker = new UsageTicker();
    expect(jest.getTimerCount()).toBe(0);
    const unsubscribe = ticker.subscribe(() => undefined);
    unsubscribe();
    jest.advanceTimersByTime(250);
    expect(jest.getTimerCount()).toBe(0);
    const listener = jest.fn();
    ticker.subscribe(listener);
    jest.advanceTimersByTime(250);
    expect(listener).toHaveBeenCalledTimes(1);
    ticker.onApplicationShutdown();
  });
});
