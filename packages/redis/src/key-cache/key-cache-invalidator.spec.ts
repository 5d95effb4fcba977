import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gateway/observability';
import { describe, expect, it, jest } from '@jest/globals';
import type { KeyCache } from './key-cache.js';
import { KeyCacheInvalidator } from './key-cache-invalidator.js';

/** Waits for a condition. Without a deadline: the time-out of the test ends a wait that hangs. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await sleep(10);
}

function setUp() {
  const invalidate = jest.fn<KeyCache['invalidate']>();
  const lines: { readonly message: string }[] = [];
  const logger = { warn: (_fields: object, message: string) => void lines.push({ message }) } as unknown as Logger;
  return { invalidate, lines, service: new KeyCacheInvalidator({ invalidate } as unknown as KeyCache, logger) };
}

describe('KeyCacheInvalidator', () => {
  it('invalidates keys at once, and does not repeat it', async () => {
    const { service, invalidate, lines } = setUp();
    service.onApplicationBootstrap();
    await service.invalidate(['a', 'b']);
    service.onApplicationBootstrap();
    await service.stop();
    expect(invalidate.mock.calls).toEqual([[['a', 'b']]]);
    expect(lines).toEqual([]);
  });

  it('resolves while Redis is down, and retries until Redis has the keys', async () => {
    const { service, invalidate, lines } = setUp();
    const down = new Error('Connection is closed.');
    invalidate.mockRejectedValueOnce(down).mockRejectedValueOnce(down).mockRejectedValueOnce(down);
    await service.invalidate(['a']);
    await service.invalidate(['b', 'a']);
    expect(lines.map(({ message }) => message)).toEqual(['key invalidation deferred', 'key invalidation deferred']);
    service.onApplicationBootstrap();
    await until(() => invalidate.mock.calls.length === 4);
    await service.stop();
    expect(invalidate.mock.calls.slice(2)).toEqual([[['a', 'b']], [['a', 'b']]]);
  });

  it('retries a removal that fails while it rests', async () => {
    const { service, invalidate } = setUp();
    service.onApplicationBootstrap();
    // The first round has found nothing.
    await sleep(0);
    invalidate.mockRejectedValueOnce(new Error('Connection is closed.'));
    await service.invalidate(['a']);
    await until(() => invalidate.mock.calls.length === 2);
    await service.stop();
    expect(invalidate.mock.calls).toEqual([[['a']], [['a']]]);
  });
});
