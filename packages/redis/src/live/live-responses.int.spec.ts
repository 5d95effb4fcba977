import { newRequestId } from '@gateway/contracts';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { LiveResponses, MAX_LIVE_BYTES } from './live-responses.js';

const test = await TestRedis.open();
afterAll(() => test.close());
const live = new LiveResponses(test.redis, test.keys);

describe('LiveResponses', () => {
  it('returns what follows an offset, also after a repeated write', async () => {
    const id = newRequestId();
    expect(await live.hasBegun(id)).toBe(false);
    await live.write(id, 0, Buffer.from('data: one\n\n'));
    await live.write(id, 11, Buffer.from('data: two\n\n'));
    await live.write(id, 11, Buffer.from('data: two\n\n'));
    expect((await live.read(id, 0)).toString()).toBe('data: one\n\ndata: two\n\n');
    expect((await live.read(id, 11)).toString()).toBe('data: two\n\n');
    expect(await live.read(id, 22)).toHaveLength(0);
    expect(await live.hasBegun(id)).toBe(true);
  });

  it('refuses to leave a gap after a loss', async () => {
    const id = newRequestId();
    await expect(live.write(id, 11, Buffer.from('data: two\n\n'))).rejects.toThrow('bytes before 11 are lost');
    expect(await live.read(id, 0)).toHaveLength(0);
  });

  it('keeps no more than its limit', async () => {
    const id = newRequestId();
    await live.write(id, 0, Buffer.alloc(MAX_LIVE_BYTES - 1));
    await live.write(id, MAX_LIVE_BYTES - 1, Buffer.from('ab'));
    await live.write(id, MAX_LIVE_BYTES, Buffer.from('c'));
    expect((await live.read(id, MAX_LIVE_BYTES - 1)).toString()).toBe('a');
  });
});
