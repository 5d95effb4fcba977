import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { PollRateLimiter } from './poll-rate-limiter.js';

describe('the rate at which a channel is asked', () => {
  let test: TestRedis;
  let rate: PollRateLimiter;
  let nowMs = 1_000_000;

  beforeEach(async () => {
    test = await TestRedis.open();
    rate = new PollRateLimiter(test.redis, { keys: test.keys, nowMs: () => nowMs });
  });

  afterEach(() => test.close());

  it('gives each question a moment of its own, over all who ask', async () => {
    const other = new PollRateLimiter(test.redis, { keys: test.keys, nowMs: () => nowMs });
    const turns = [
      await rate.reserve('a', 20, 1_000),
      await other.reserve('a', 20, 1_000),
      await rate.reserve('a', 20, 1_000),
      await rate.reserve('b', 20, 1_000),
    ];
    expect(turns.map(({ waitMs }) => waitMs)).toEqual([0, 50, 100, 0]);
    expect(turns.every(({ isReserved: isBooked }) => isBooked)).toBe(true);
  });

  it('books nothing that is too far off, and says how far', async () => {
    await rate.reserve('a', 1, 0);
    expect(await rate.reserve('a', 1, 999)).toEqual({ isBooked: false, waitMs: 1_000 });
    expect(await rate.reserve('a', 1, 1_000)).toEqual({ isBooked: true, waitMs: 1_000 });
  });

  it('saves nothing up: after a quiet time it is no faster', async () => {
    await rate.reserve('a', 20, 0);
    nowMs += 60_000;
    expect(await rate.reserve('a', 20, 1_000)).toMatchObject({ waitMs: 0 });
    expect(await rate.reserve('a', 20, 1_000)).toMatchObject({ waitMs: 50 });
  });

  it('rests for as long as the channel says, and a shorter rest does not cut a longer one', async () => {
    await rate.coolDown('a', 5_000);
    await rate.coolDown('a', 1_000);
    expect(await rate.reserve('a', 20, 4_999)).toEqual({ isBooked: false, waitMs: 5_000 });
    expect(await rate.reserve('b', 20, 0)).toEqual({ isBooked: true, waitMs: 0 });
  });

  it('leaves nothing behind for ever', async () => {
    await rate.reserve('a', 20, 0);
    await rate.coolDown('b', 1_000);
    for (const name of await test.names()) expect(await test.redis.pttl(name)).toBeGreaterThan(0);
  });
});
