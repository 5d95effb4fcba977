import { EventEmitter, once } from 'node:events';
import { hashApiKey, type KeyRecord, newAccountId, newApiKey, newKeyId } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AdmissionStore } from '../admission/admission-store.js';
import { connectRedis } from '../connection/connect-redis.js';
import { withReady } from '../connection/with-ready.js';
import { RedisServer } from '../test-support/redis-server.js';
import { TestRedis } from '../test-support/test-redis.js';
import { KeyCache } from './key-cache.js';
import { subscribeInvalidations } from './subscribe-invalidations.js';

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
  keyLimits: { requestsPerMinute: 60, concurrency: null },
  accountLimits: { requestsPerMinute: null, concurrency: 0 },
  allowedIps: null,
  scopes: [],
};
const { keySha256 } = record;

describe('KeyCache', () => {
  let test: TestRedis;
  let cache: KeyCache;

  beforeEach(async () => {
    test = await TestRedis.open();
    cache = new KeyCache(test.redis, test.keys);
  });

  afterEach(() => test.close());

  it('caches a record for at most a minute', async () => {
    expect(await cache.get(keySha256)).toBeUndefined();
    await cache.set(record);
    expect(await cache.get(keySha256)).toEqual(record);
    expect(await test.redis.pttl(test.keys.keyRecord(keySha256))).toBeLessThanOrEqual(60_000);
  });

  it('caches an absent key for at most five seconds', async () => {
    await cache.setAbsent(keySha256);
    expect(await cache.get(keySha256)).toBeNull();
    expect(await test.redis.pttl(test.keys.keyRecord(keySha256))).toBeLessThanOrEqual(5_000);
  });

  it('removes an invalidated key and rejects the old record', async () => {
    await cache.set(record);
    await cache.invalidate([keySha256]);
    expect(await cache.get(keySha256)).toBeUndefined();
    await cache.set(record);
    expect(await cache.get(keySha256)).toBeUndefined();
    expect(await test.redis.pttl(test.keys.keyFence(keySha256))).toBeLessThanOrEqual(10_000);
  });

  it('caches no key whose change begins', async () => {
    await cache.set(record);
    await cache.fence([keySha256]);
    await cache.set(record);
    expect(await cache.get(keySha256)).toBeUndefined();
  });

  it.each(['{', '{"keyId":"key_1"}'])('treats %s as not cached', async (text) => {
    await test.redis.set(test.keys.keyRecord(keySha256), text);
    expect(await cache.get(keySha256)).toBeUndefined();
  });
});

describe('subscribeInvalidations', () => {
  let server: RedisServer;
  let close: () => void = () => undefined;

  beforeEach(async () => {
    server = await RedisServer.start();
  });

  afterEach(async () => {
    close();
    await server.stop();
  });

  it('reports invalidated keys, and `all` after an outage or a new epoch', async () => {
    const events = new EventEmitter();
    // The outage below refuses connections.
    const onError = () => undefined;
    const redis = connectRedis(server.url, 'commands', onError);
    const subscription = subscribeInvalidations({
      url: server.url,
      onInvalidated: (keys) => events.emit('keys', keys),
      onError,
    });
    close = () => {
      subscription.close();
      redis.disconnect();
    };
    await Promise.all([subscription.ready, withReady(redis)]);

    const first = once(events, 'keys');
    await new KeyCache(redis).invalidate([keySha256]);
    expect(await first).toEqual([[keySha256]]);

    const afterOutage = once(events, 'keys');
    await server.kill();
    await server.start();
    expect(await afterOutage).toEqual(['all']);

    const second = once(events, 'keys');
    await new KeyCache(await withReady(redis)).invalidate([keySha256]);
    expect(await second).toEqual([[keySha256]]);

    const begun = once(events, 'keys');
    await new AdmissionStore(redis).beginEpoch('1');
    expect(await begun).toEqual(['all']);

    const malformed = once(events, 'keys');
    await redis.publish('gw:keys:invalidated', 'nonsense');
    expect(await malformed).toEqual(['all']);
  });
});
