import { GatewayError, hashApiKey, type KeyRecord, newAccountId, newApiKey, newKeyId } from '@gateway/contracts';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { KeyReader as Directory } from './key-directory.service.js';

// What the directory remembers things with takes its clock when it is loaded.
jest.useFakeTimers();
const { KeyReader } = await import('./key-directory.service.js');

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
  requestsPerMinute: 600,
  concurrency: 50,
  allowedIps: null,
};
const { keySha256 } = record;
const MINUTE_MS = 60_000;
const AWAY = new GatewayError('service_unavailable', 'away');

/** Postgres, as far as the edge asks it; a cache that has forgotten everything is beside it. */
class Keys {
  asked = 0;
  answer: () => Promise<KeyRecord | null> = async () => record;

  findKeyBySha256(): Promise<KeyRecord | null> {
    this.asked += 1;
    return this.answer();
  }
}

const emptyCache = { get: async () => undefined, set: async () => undefined, setAbsent: async () => undefined };

let keys: Keys;
let directory: Directory;

beforeEach(() => {
  // At the moment zero nothing grows old.
  jest.advanceTimersByTime(1);
  keys = new Keys();
  directory = new KeyReader(emptyCache as never, keys as never);
});

const find = async () => directory.find(keySha256);
const later = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const isAway = () => {
  keys.answer = async () => {
    throw AWAY;
  };
};

describe('a key', () => {
  it('is asked for once in a few seconds', async () => {
    expect(await Promise.all([find(), find()])).toEqual([record, record]);
    await find();
    expect(keys.asked).toBe(1);
    await later(5_000);
    await find();
    expect(keys.asked).toBe(2);
  });

  it('is what it was while Postgres is away, for ten minutes', async () => {
    await find();
    isAway();
    for (let minutes = 1; minutes < 10; minutes += 1) {
      await later(MINUTE_MS);
      expect(await find()).toBe(record);
    }
    await later(MINUTE_MS + 1);
    await expect(find()).rejects.toBe(AWAY);
  });

  it('is what it was where Postgres is silent, after a second, and what it is as soon as that is known', async () => {
    await find();
    await later(5_000);
    let answer: (key: null) => void = () => undefined;
    keys.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    expect(await find()).toBe(record);
    answer(null);
    await later(0);
    expect(await find()).toBeNull();
    isAway();
    await later(5_000);
    await expect(find()).rejects.toBe(AWAY);
  });

  it.each([['all'], [[keySha256]]] as const)('that was changed (%j) is not what it was', async (changed) => {
    await find();
    isAway();
    directory.forget(changed);
    await expect(find()).rejects.toBe(AWAY);
  });

  it('that was changed while it was read is not believed after a few seconds', async () => {
    keys.answer = async () => {
      directory.forget([keySha256]);
      return record;
    };
    expect(await find()).toBe(record);
    isAway();
    await later(5_000);
    await expect(find()).rejects.toBe(AWAY);
  });

  it('is not known better by a failure of ours', async () => {
    await find();
    await later(5_000);
    const fault = new Error('a bug');
    keys.answer = async () => {
      throw fault;
    };
    await expect(find()).rejects.toBe(fault);
  });
});
