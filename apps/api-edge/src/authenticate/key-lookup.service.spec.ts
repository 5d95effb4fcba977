import { GatewayError, hashApiKey, type KeyRecord, newAccountId, newApiKey, newKeyId } from '@gateway/contracts';
import type { TokenBuckets as Buckets } from '@gateway/serving';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { KeyLookup as Lookup } from './key-lookup.service.js';

// lru-cache takes its clock when it is loaded, so the fake timers come first.
jest.useFakeTimers();
const { TokenBuckets } = await import('@gateway/serving');
const { KeyLookup } = await import('./key-lookup.service.js');

const record: KeyRecord = {
  keyId: newKeyId(),
  accountId: newAccountId(),
  keySha256: hashApiKey(newApiKey()),
  isTest: false,
  isRevoked: false,
  isAccountSuspended: false,
  spendCap: null,
  expiresAtMs: null,
  models: null,
  endpoints: null,
  keyLimits: { requestsPerMinute: null, concurrency: null },
  accountLimits: { requestsPerMinute: null, concurrency: null },
  allowedIps: null,
  scopes: [],
};
const { keySha256 } = record;
const MINUTE_MS = 60_000;
const AWAY = new GatewayError('service_unavailable', 'away');

/** The key reader of Postgres. The Redis cache beside it is empty. */
class KeysInMemory {
  queryCount = 0;
  result: () => Promise<KeyRecord | null> = async () => record;

  findKeyBySha256(): Promise<KeyRecord | null> {
    this.queryCount += 1;
    return this.result();
  }
}

const emptyCache = { get: async () => undefined, set: async () => undefined, setAbsent: async () => undefined };

const ADDRESS = '192.0.2.1';

let unknownKeys: Buckets;
let keys: KeysInMemory;
let lookup: Lookup;

beforeEach(() => {
  // lru-cache treats time zero as no time.
  jest.advanceTimersByTime(1);
  keys = new KeysInMemory();
  unknownKeys = new TokenBuckets({ capacity: 10, perSecond: 1 });
  lookup = new KeyLookup(emptyCache as never, keys as never, unknownKeys);
});

const find = async () => lookup.find(keySha256, ADDRESS);
const later = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const isAway = () => {
  keys.result = async () => {
    throw AWAY;
  };
};

describe('a key', () => {
  it('is queried once in four seconds', async () => {
    expect(await Promise.all([find(), find()])).toEqual([record, record]);
    await find();
    expect(keys.queryCount).toBe(1);
    await later(5_000);
    await find();
    expect(keys.queryCount).toBe(2);
  });

  it('stays valid for ten minutes while Postgres is away', async () => {
    await find();
    isAway();
    for (let minutes = 1; minutes < 10; minutes += 1) {
      await later(MINUTE_MS);
      expect(await find()).toBe(record);
    }
    await later(MINUTE_MS + 1);
    await expect(find()).rejects.toBe(AWAY);
  });

  it('is served stale after a second of silence from Postgres, and fresh once Postgres responds', async () => {
    await find();
    await later(5_000);
    let respond: (key: null) => void = () => undefined;
    keys.result = () =>
      new Promise((resolve) => {
        respond = resolve;
      });
    const finding = find();
    await later(1_000);
    expect(await finding).toBe(record);
    respond(null);
    await later(0);
    expect(await find()).toBeNull();
    isAway();
    await later(5_000);
    await expect(find()).rejects.toBe(AWAY);
  });

  it('without a stale copy is refused after three seconds of silence from Postgres', async () => {
    keys.result = () => new Promise(() => undefined);
    const refused = expect(find()).rejects.toMatchObject({ code: 'service_unavailable' });
    await later(3_000);
    await refused;
  });

  it('is read from Postgres after half a second of silence from Redis', async () => {
    const silent = { ...emptyCache, get: () => new Promise<never>(() => undefined) };
    lookup = new KeyLookup(silent as never, keys as never, unknownKeys);
    const finding = find();
    await later(500);
    expect(await finding).toBe(record);
  });

  it.each([['all'], [[keySha256]]] as const)('that was changed (%j) is not served stale', async (changed) => {
    await find();
    isAway();
    lookup.forget(changed);
    await expect(find()).rejects.toBe(AWAY);
  });

  it('that was changed while it was read is not served stale', async () => {
    keys.result = async () => {
      lookup.forget([keySha256]);
      return record;
    };
    expect(await find()).toBe(record);
    isAway();
    await later(5_000);
    await expect(find()).rejects.toBe(AWAY);
  });

  it('is not served stale after an internal error', async () => {
    await find();
    await later(5_000);
    const fault = new Error('a bug');
    keys.result = async () => {
      throw fault;
    };
    await expect(find()).rejects.toBe(fault);
  });
});

describe('unknown keys', () => {
  const guess = async (address = ADDRESS) => lookup.find(hashApiKey(newApiKey()), address);

  it('are not counted while Postgres is away: every key gets the error that says so', async () => {
    isAway();
    for (let count = 0; count < 12; count += 1) await expect(guess()).rejects.toBe(AWAY);
  });

  it('of one address are looked up only so often; others and known keys are not affected', async () => {
    await find();
    keys.result = async () => null;
    for (let count = 0; count < 10; count += 1) expect(await guess()).toBeNull();
    await expect(guess()).rejects.toMatchObject({ code: 'rate_limit_exceeded', details: { retryAfterMs: 1_000 } });
    expect(keys.queryCount).toBe(11);
    expect(await guess('192.0.2.2')).toBeNull();
    await later(5_000);
    keys.result = async () => record;
    for (let count = 0; count < 12; count += 1) await guess('192.0.2.3');
    expect(await find()).toEqual(record);
  });

  it('do not push known keys out of memory', async () => {
    await find();
    const { queryCount } = keys;
    keys.result = async () => null;
    for (let count = 0; count < 60_000; count += 1) await lookup.find(String(count), String(count));
    expect(keys.queryCount).toBe(queryCount + 60_000);
    keys.result = async () => record;
    await find();
    expect(keys.queryCount).toBe(queryCount + 60_000);
  });
});
