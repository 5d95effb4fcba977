import { EventEmitter, once } from 'node:events';
import { hashApiKey, type KeyRecord, newAccountId, newApiKey, newKeyId } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connectRedis } from '../connection/connect-redis.js';
import { withReady } from '../connection/with-ready.js';
import { RedisServer } from '../test-support/redis-server.js';
import { TestRedis } from '../test-support/test-redis.js';
import { KeyCache } from './key-cache.js';
import { subscribeInvalidations } from './subscribe-invalidations.js';

// A limit for a hang, not a measure: starting and killing servers takes what it takes.
jest.setTimeout(60_000);

const record: KeyRecord = {
  keyId: newKeyId(),
  accountId: newAccountId(),
  keySha256: hashApiKey(newApiKey()),
  isTest: false,
  isRevoked: false,
  isAccountSuspended: false,
  spendCap: { capNanoUsd: '10', spendingKeyId: newKeyId(), spentNanoUsd: '3', version: '2' },
  expiresAtMs: null,
  models: ['gm-2'],
  endpoints: null,
  requestsPerMinute: 600,
  concurrency: 50,
  allowedIps: null,
};
const { keySha256 } = record;

describe('the key cache', () => {
  let test: TestRedis;
  let cache: KeyCache;

  beforeEach(async () => {
    test = await TestRedis.open();
    cache = new KeyCache(test.redis, test.keys);
  });

  afterEach(() => test.close());

  it('keeps a record for at most a minute', async () => {
    expect(await cache.get(keySha256)).toBeUndefined();
    await cache.set(record);
    expect(await cache.get(keySha256)).toEqual(record);
    expect(await test.redis.pttl(test.keys.keyRecord(keySha256))).toBeLessThanOrEqual(60_000);
  });

  it('knows for a few seconds that there is no such key', async () => {
    await cache.setAbsent(keySha256);
    expect(await cache.get(keySha256)).toBeNull();
    expect(await test.redis.pttl(test.keys.keyRecord(keySha256))).toBeLessThanOrEqual(5_000);
  });

  it('forgets a changed key and lets nobody put the old record back', async () => {
    await cache.set(record);
    await cache.invalidate([keySha256]);
    expect(await cache.get(keySha256)).toBeUndefined();
    await cache.set(record);
    expect(await cache.get(keySha256)).toBeUndefined();
    expect(await test.redis.pttl(test.keys.keyFence(keySha256))).toBeLessThanOrEqual(10_000);
  });

  it.each(['{', '{"keyId":"key_1"}'])('takes %s for nothing', async (text) => {
    await test.redis.set(test.keys.keyRecord(keySha256), text);
    expect(await cache.get(keySha256)).toBeUndefined();
  });
});

describe('invalidations', () => {
  let server: RedisServer;
  let close: () => void = () => undefined;

  beforeEach(async () => {
    server = await RedisServer.start();
  });

  afterEach(async () => {
    close();
    await server.stop();
  });

  it('reach the subscriber, and all is dropped after an outage', async () => {
    const heard = new EventEmitter();
    // A refused connection is part of this story.
    const onError = () => undefined;
    const redis = connectRedis(server.url, 'commands', onError);
    const subscription = subscribeInvalidations({
      url: server.url,
      onInvalidated: (keys) => heard.emit('keys', keys),
      onError,
    });
    close = () => {
      subscription.close();
      redis.disconnect();
    };
    await Promise.all([subscription.ready, withReady(redis)]);

    const first = once(heard, 'keys');
    await new KeyCache(redis).invalidate([keySha256]);
    expect(await first).toEqual([[keySha256]]);

    const afterOutage = once(heard, 'keys');
    await server.kill();
    await server.start();
    expect(await afterOutage).toEqual(['all']);

    const second = once(heard, 'keys');
    await new KeyCache(await withReady(redis)).invalidate([keySha256]);
    expect(await second).toEqual([[keySha256]]);

    const unreadable = once(heard, 'keys');
    await redis.publish('gw:keys:invalidated', 'nonsense');
    expect(await unreadable).toEqual(['all']);
  });
});
