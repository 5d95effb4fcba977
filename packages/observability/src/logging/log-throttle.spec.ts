import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LogThrottle } from './log-throttle.js';

describe('LogThrottle', () => {
  let nowMs = 0;
  const written: string[] = [];
  const log = (throttle: LogThrottle, problem: string) => throttle.log(problem, () => written.push(problem));

  beforeEach(() => {
    written.length = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('logs a problem once, and again after ten seconds', () => {
    const throttle = new LogThrottle();
    for (const atMs of [0, 1, 9_999, 10_000, 10_001]) {
      nowMs = atMs;
      log(throttle, 'a');
    }
    expect(written).toEqual(['a', 'a']);
  });

  it('throttles each problem on its own', () => {
    const throttle = new LogThrottle();
    for (const problem of ['a', 'b', 'a', 'b']) log(throttle, problem);
    expect(written).toEqual(['a', 'b']);
  });
});
