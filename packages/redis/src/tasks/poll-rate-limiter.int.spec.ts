import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { PollRateLimiter } from './poll-rate-limiter.js';

describe('PollRateLimiter', () => {
  let test: TestRedis;
  let limiter: PollRateLimiter;
  let nowMs = 1_000_000;

  beforeEach(async () => {
    test = await TestRedis.open();
    limiter = new PollRateLimiter(test.redis, { keys: test.keys, nowMs: () => nowMs });
  });

  afterEach(() => test.close());

  it('reserves one slot per poll across all workers', async () => {
    const other = new PollRateLimiter(test.redis, { keys: test.keys, nowMs: () => nowMs });
    const slots = [
      await limiter.reserve('a', 20, 1_000),
      await other.reserve('a', 20, 1_000),
      await limiter.reserve('a', 20, 1_000),
      await limiter.reserve('b', 20, 1_000),
    ];
    expect(slots.map(({ waitMs }) => waitMs)).toEqual([0, 50, 100, 0]);
    expect(slots.every(({ isReserved }) => isReserved)).toBe(true);
  });

  it('reserves nothing beyond the maximum wait, and gives the wait', async () => {
    await limiter.reserve('a', 1, 0);
    expect(await limiter.reserve('a', 1, 999)).toEqual({ isReserved: false, waitMs: 1_000 });
    expect(await limiter.reserve('a', 1, 1_000)).toEqual({ isReserved: true, waitMs: 1_000 });
  });

  it('does not accumulate slots while a channel is idle', async () => {
    await limiter.reserve('a', 20, 0);
    nowMs += 60_000;
    expect(await limiter.reserve('a', 20, 1_000)).toMatchObject({ waitMs: 0 });
    expect(await limiter.reserve('a', 20, 1_000)).toMatchObject({ waitMs: 50 });
  });

  it('waits for the longest cooldown that was set', async () => {
    await limiter.coolDown('a', 5_000);
    await limiter.coolDown('a', 1_000);
    expect(await limiter.reserve('a', 20, 4_999)).toEqual({ isReserved: false, waitMs: 5_000 });
    expect(await limiter.reserve('b', 20, 0)).toEqual({ isReserved: true, waitMs: 0 });
  });

  it('lets every key expire', async () => {
    await limiter.reserve('a', 20, 0);
    await limiter.coolDown('b', 1_000);
    for (const name of await test.names()) expect(await test.redis.pttl(name)).toBeGreaterThan(0);
  });
});
