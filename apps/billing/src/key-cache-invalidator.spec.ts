import type { KeyCache } from '@gateway/redis';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeyCacheInvalidator } from './key-cache-invalidator.service.js';
import { fakeLogger, mockOf } from './test-support/fakes.js';

const RETRY_MS = 500;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

function setUp() {
  const invalidate = mockOf<KeyCache['invalidate']>();
  const { logger, lines } = fakeLogger();
  return { invalidate, lines, service: new KeyCacheInvalidator({ invalidate } as unknown as KeyCache, logger) };
}

describe('KeyCacheInvalidator', () => {
  it('invalidates keys at once, and does not repeat it', async () => {
    const { service, invalidate, lines } = setUp();
    service.onApplicationBootstrap();
    await service.invalidate(['a', 'b']);
    await jest.advanceTimersByTimeAsync(4 * RETRY_MS);
    expect(invalidate.mock.calls).toEqual([[['a', 'b']]]);
    expect(lines).toEqual([]);
    await service.stop();
  });

  it('resolves while Redis is down, and retries until Redis has the keys', async () => {
    const { service, invalidate, lines } = setUp();
    const down = new Error('Connection is closed.');
    invalidate.mockRejectedValueOnce(down).mockRejectedValueOnce(down).mockRejectedValueOnce(down);
    await service.invalidate(['a']);
    await service.invalidate(['b', 'a']);
    expect(lines.map(({ message }) => message)).toEqual(['key invalidation deferred', 'key invalidation deferred']);
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(4 * RETRY_MS);
    expect(invalidate.mock.calls.slice(2)).toEqual([[['a', 'b']], [['a', 'b']]]);
    await service.stop();
  });
});
