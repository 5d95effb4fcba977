import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { recentReads } from './recent-reads.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('recent reads', () => {
  it('are shared by key, also by callers that come together', async () => {
    const read: string[] = [];
    const recent = recentReads(1_000, async (key) => read.push(key));
    expect(await Promise.all(['a', 'a', 'b', 'a'].map((key) => recent(key)))).toEqual([1, 1, 2, 1]);
    jest.advanceTimersByTime(999);
    expect(await recent('a')).toBe(1);
    jest.advanceTimersByTime(1);
    expect(await recent('a')).toBe(3);
    expect(read).toEqual(['a', 'b', 'a']);
  });

  it('are repeated after a failure', async () => {
    const results = [Promise.reject(new Error('PostgreSQL is away')), Promise.resolve(7)];
    const recent = recentReads(1_000, () => results.shift() ?? Promise.resolve(0));
    await expect(recent('a')).rejects.toThrow('away');
    expect(await recent('a')).toBe(7);
  });

  it('stay if an earlier read fails late', async () => {
    const early = Promise.withResolvers<number>();
    const results = [early.promise, Promise.resolve(7)];
    const recent = recentReads(1_000, () => results.shift() ?? Promise.resolve(0));
    const failing = recent('a');
    jest.advanceTimersByTime(1_000);
    expect(await recent('a')).toBe(7);
    early.reject(new Error('late'));
    await expect(failing).rejects.toThrow('late');
    expect(await recent('a')).toBe(7);
  });

  it('do not stay for longer if the clock is set back', async () => {
    let count = 0;
    const recent = recentReads(1_000, async () => {
      count += 1;
      return count;
    });
    await recent('a');
    jest.setSystemTime(Date.now() - 3_600_000);
    jest.advanceTimersByTime(1_000);
    expect(await recent('a')).toBe(2);
  });
});
