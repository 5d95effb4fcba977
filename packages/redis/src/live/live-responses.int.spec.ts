import { newRequestId } from '@gateway/contracts';
import { afterAll, describe, expect, it } from '@jest/globals';
import { redisKeys } from '../keys.js';
import { TestRedis } from '../test-support/test-redis.js';
import { LiveResponses, MAX_LIVE_BYTES } from './live-responses.js';

const test = await TestRedis.open();
afterAll(() => test.close());
const live = new LiveResponses(test.redis, { keys: test.keys });
const streamOf = (accountId = 'acct_a') => ({ requestId: newRequestId(), accountId });

/** What a stream reserves at once. */
const STEP = 64 * 1024;

describe('LiveResponses', () => {
  it('returns what follows an offset, also after a repeated write', async () => {
    const stream = streamOf();
    const id = stream.requestId;
    expect(await live.hasBegun(id)).toBe(false);
    await live.write(stream, 0, Buffer.from('data: one\n\n'));
    await live.write(stream, 11, Buffer.from('data: two\n\n'));
    await live.write(stream, 11, Buffer.from('data: two\n\n'));
    expect((await live.read(id, 0)).toString()).toBe('data: one\n\ndata: two\n\n');
    expect((await live.read(id, 11)).toString()).toBe('data: two\n\n');
    expect(await live.read(id, 22)).toHaveLength(0);
    expect(await live.hasBegun(id)).toBe(true);
  });

  it('refuses to leave a gap after a loss', async () => {
    const stream = streamOf();
    const id = stream.requestId;
    await expect(live.write(stream, 11, Buffer.from('data: two\n\n'))).rejects.toThrow('bytes before 11 are lost');
    expect(await live.read(id, 0)).toHaveLength(0);
  });

  it('leaves no gap if Redis loses the stream during a write', async () => {
    const losing = new Proxy(test.redis, {
      get(redis, name) {
        const member = Reflect.get(redis, name);
        if (typeof member !== 'function') return member;
        if (name !== 'gateway:live/reserve') return member.bind(redis);
        return async (...args: unknown[]) => {
          const reply = await member.apply(redis, args);
          await test.lose();
          return reply;
        };
      },
    });
    const stream = streamOf();
    await live.write(stream, 0, Buffer.alloc(STEP, 'a'));
    const write = new LiveResponses(losing, { keys: test.keys }).write(stream, STEP, Buffer.from('b'));
    await expect(write).rejects.toThrow(`bytes before ${STEP} are lost`);
    expect(await live.read(stream.requestId, 0)).toHaveLength(0);
  });

  it('keeps no more than its limit', async () => {
    const stream = streamOf();
    const id = stream.requestId;
    await live.write(stream, 0, Buffer.alloc(MAX_LIVE_BYTES - 1));
    await live.write(stream, MAX_LIVE_BYTES - 1, Buffer.from('ab'));
    await live.write(stream, MAX_LIVE_BYTES, Buffer.from('c'));
    expect((await live.read(id, MAX_LIVE_BYTES - 1)).toString()).toBe('a');
  });

  it('writes nothing beyond the limit of an account, and frees what has ended', async () => {
    const limited = new LiveResponses(test.redis, {
      keys: test.keys,
      limits: { bytes: 1024 * 1024 ** 2, accountBytes: 2 * STEP },
    });
    const [first, second, third] = [streamOf('acct_full'), streamOf('acct_full'), streamOf('acct_full')];
    expect(await limited.write(first, 0, Buffer.from('a'))).toBe(true);
    expect(await limited.write(second, 0, Buffer.alloc(STEP))).toBe(true);
    expect(await limited.write(third, 0, Buffer.from('c'))).toBe(false);
    expect(await limited.write(second, STEP, Buffer.from('d'))).toBe(false);
    expect(await limited.hasBegun(third.requestId)).toBe(false);
    expect(await limited.read(second.requestId, STEP)).toHaveLength(0);
    expect(await limited.write(streamOf('acct_other'), 0, Buffer.from('e'))).toBe(true);
    await limited.end(first);
    await limited.end(first);
    expect(await limited.hasBegun(first.requestId)).toBe(false);
    expect(await limited.write(third, 0, Buffer.from('c'))).toBe(true);
    expect(await limited.write(streamOf('acct_full'), 0, Buffer.from('f'))).toBe(false);
  });

  it('bounds all accounts together, and forgets streams whose worker died', async () => {
    let nowMs = 1_800_000_000_000;
    const keys = redisKeys(`${test.prefix}-all`);
    const limits = { bytes: 2 * STEP, accountBytes: 2 * STEP };
    const limited = new LiveResponses(test.redis, { keys, limits, nowMs: () => nowMs });
    const begin = (accountId: string) => limited.write(streamOf(accountId), 0, Buffer.from('a'));
    expect([await begin('acct_1'), await begin('acct_2'), await begin('acct_3')]).toEqual([true, true, false]);
    nowMs += 901_000;
    expect([await begin('acct_4'), await begin('acct_5'), await begin('acct_6')]).toEqual([true, true, false]);
  });

  it('grants no more than the limit to streams that begin at once', async () => {
    const keys = redisKeys(`${test.prefix}-race`);
    const limits = { bytes: 10 * STEP, accountBytes: 10 * STEP };
    const limited = new LiveResponses(test.redis, { keys, limits });
    const begun = await Promise.all(Array.from({ length: 40 }, () => limited.write(streamOf(), 0, Buffer.from('a'))));
    expect(begun.filter(Boolean)).toHaveLength(10);
  });
});
