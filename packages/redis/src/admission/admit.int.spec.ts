import type { AdmissionRequest, RequestLimits } from '@gateway/contracts';
import { newKeyId, newRequestId } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { totalOf } from '../shards/total-of.js';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { AdmissionStore } from './admission-store.js';

describe('AdmissionStore.admit', () => {
  let test: TestRedis;
  let store: AdmissionStore;
  let nowMs: number;

  beforeEach(async () => {
    nowMs = 1_000_000;
    test = await TestRedis.open();
    store = new AdmissionStore(test.redis, { keys: test.keys, leaseMs: 60_000, nowMs: () => nowMs });
    await store.beginEpoch('e1');
  });

  afterEach(() => test.close());

  const fund = (accountId: string, amountNanoUsd: bigint) =>
    store.grant({ accountId, sequence: 1n, epoch: 'e1', amountNanoUsd, reserveNanoUsd: 0n, reserveVersion: 1n });
  const again = (request: AdmissionRequest): AdmissionRequest => ({ ...request, requestId: newRequestId() });

  it('holds the amount and returns the remaining rate', async () => {
    const request = sampleRequest({ requestsPerMinute: 60, concurrency: 2, holdNanoUsd: 30n });
    await fund(request.accountId, 100n);
    expect(await store.admit(request)).toEqual({
      outcome: 'admitted',
      rate: { limit: 60, remaining: 59, resetMs: 1_000 },
      holdNanoUsd: 30n,
      heldTokens: 0,
    });
    expect(await store.readAccount(request.accountId)).toMatchObject({ spendableNanoUsd: 70n, heldNanoUsd: 30n });
    expect(await store.expiredHolds(Number.MAX_SAFE_INTEGER, 10)).toEqual([
      {
        requestId: request.requestId,
        accountId: request.accountId,
        keyId: request.keyId,
        amountNanoUsd: 30n,
        expiresAtMs: nowMs + request.holdMs,
        about: request.about,
      },
    ]);
    expect(totalOf(await store.readShards(0)).openHolds).toBe(1);
  });

  it('repeats the first outcome for the same request and holds once, even after settlement', async () => {
    const request = sampleRequest({ requestsPerMinute: 1, concurrency: 1 });
    await fund(request.accountId, 10n);
    const first = await store.admit(request);
    const before = await test.dump();
    expect(await store.admit(request)).toEqual(first);
    expect(await test.dump()).toEqual(before);
    await store.settle(sampleSettlement(request, 4n));
    expect(await store.admit(request)).toEqual(first);
    expect(await store.readAccount(request.accountId)).toMatchObject({ spendableNanoUsd: 6n, heldNanoUsd: 0n });
  });

  it('writes nothing after Redis lost its data', async () => {
    await test.lose();
    expect(await store.admit(sampleRequest())).toEqual({ outcome: 'rebuilding' });
    expect(await test.names()).toEqual([]);
  });

  it.each([
    ['concurrency', { concurrency: 1, requestsPerMinute: 1, holdNanoUsd: 10n }, { scope: 'key', retryAfterMs: 1_000 }],
    ['rate', { concurrency: 2, requestsPerMinute: 1, holdNanoUsd: 10n }, { retryAfterMs: 60_000 }],
    ['funds', { concurrency: 2, requestsPerMinute: 2, holdNanoUsd: 10n }, { missingNanoUsd: 6n }],
  ] as const)('writes nothing when it refuses for %s, and checks in that order', async (outcome, limits, more) => {
    const first = sampleRequest(limits);
    await fund(first.accountId, 14n);
    expect(await store.admit(first)).toMatchObject({ outcome: 'admitted' });
    const before = await test.dump();
    expect(await store.admit(again(first))).toMatchObject({ outcome, balanceNanoUsd: 14n, ...more });
    expect(await test.dump()).toEqual(before);
  });

  it('returns no balance if the reserve is unknown', async () => {
    expect(await store.admit(sampleRequest({ holdNanoUsd: 1n }))).toMatchObject({
      outcome: 'funds',
      balanceNanoUsd: null,
    });
  });

  it('refuses an account in debt even for a hold of 0, unless the model is free', async () => {
    const request = sampleRequest({ holdNanoUsd: 0n });
    await fund(request.accountId, 5n);
    await store.admit(request);
    await store.settle(sampleSettlement(request, 8n));
    expect(await store.admit(again(request))).toMatchObject({ outcome: 'funds', missingNanoUsd: 3n });
    expect(await store.admit({ ...again(request), isFree: true })).toMatchObject({ outcome: 'admitted' });
  });

  it('admits exactly ten of 200 concurrent requests with money for ten', async () => {
    const first = sampleRequest({ holdNanoUsd: 7n });
    await fund(first.accountId, 76n);
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => store.admit(again(first))));
    expect(outcomes.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(10);
    expect(outcomes.filter(({ outcome }) => outcome === 'funds')).toHaveLength(190);
    expect(await store.readAccount(first.accountId)).toMatchObject({ spendableNanoUsd: 6n, heldNanoUsd: 70n });
  });

  it('lets the leases of a dead process expire', async () => {
    const first = sampleRequest({ concurrency: 2, holdNanoUsd: 0n });
    await store.admit(first);
    nowMs += 10_000;
    await store.admit(again(first));
    expect(await store.admit(again(first))).toMatchObject({ outcome: 'concurrency' });
    nowMs += 49_999;
    expect(await store.admit(again(first))).toMatchObject({ outcome: 'concurrency' });
    nowMs += 1;
    expect(await store.admit(again(first))).toMatchObject({ outcome: 'admitted' });
    expect(await store.admit(again(first))).toMatchObject({ outcome: 'concurrency' });
  });

  it('uses the clock of Redis by default', async () => {
    const real = new AdmissionStore(test.redis, { keys: test.keys });
    const request = sampleRequest({ concurrency: 1, holdNanoUsd: 0n });
    await real.admit(request);
    const score = Number(
      await test.redis.zscore(test.keys.of(request.accountId).leases(request.keyId), request.requestId),
    );
    expect(Math.abs(score - Date.now() - 60_000)).toBeLessThan(30_000);
    expect(await test.redis.pttl(test.keys.of(request.accountId).leases(request.keyId))).toBeGreaterThan(0);
  });

  it('rejects a hold that Lua could not compare exactly', async () => {
    await expect(store.admit(sampleRequest({ holdNanoUsd: 2n ** 53n }))).rejects.toThrow(RangeError);
    await expect(store.admit(sampleRequest({ holdNanoUsd: -1n }))).rejects.toThrow(RangeError);
    const holdRange = { fixedNanoUsd: 0n, mostNanoUsd: 2n ** 53n };
    await expect(store.admit(sampleRequest({ holdRange }))).rejects.toThrow(RangeError);
  });

  describe('a hold range', () => {
    const grant = (accountId: string, spendable: bigint, reserveNanoUsd: bigint) =>
      store.grant({
        accountId,
        sequence: 1n,
        epoch: 'e1',
        amountNanoUsd: spendable,
        reserveNanoUsd,
        reserveVersion: 1n,
      });
    const ranged = (more: Partial<AdmissionRequest> = {}): AdmissionRequest =>
      sampleRequest({ holdNanoUsd: 30n, holdRange: { fixedNanoUsd: 20n, mostNanoUsd: 200n }, ...more });

    it.each([
      ['the most, if a quarter of the balance pays for it', 800n, 200n],
      ['the fixed part and a quarter of the balance', 400n, 120n],
      ['the least, if the quarter pays for less', 35n, 30n],
    ])('holds %s', async (_what, spendable, holdNanoUsd) => {
      const request = ranged();
      await grant(request.accountId, spendable, 0n);
      expect(await store.admit(request)).toMatchObject({ outcome: 'admitted', holdNanoUsd });
      expect(await store.readAccount(request.accountId)).toMatchObject({
        spendableNanoUsd: spendable - holdNanoUsd,
        heldNanoUsd: holdNanoUsd,
      });
      expect(await store.admit(request)).toMatchObject({ outcome: 'admitted', holdNanoUsd });
    });

    it('counts what the ledger still has, and asks for it', async () => {
      const request = ranged();
      await grant(request.accountId, 100n, 300n);
      expect(await store.admit(request)).toMatchObject({ outcome: 'funds', missingNanoUsd: 20n });
    });

    it('holds what Redis has instead, on request, and asks only for what the least lacks', async () => {
      const request = ranged({ takesLess: true });
      await grant(request.accountId, 100n, 300n);
      expect(await store.admit(request)).toMatchObject({ outcome: 'admitted', holdNanoUsd: 100n });
      expect(await store.admit(again(request))).toMatchObject({ outcome: 'funds', missingNanoUsd: 30n });
    });

    it('ends at what the spend cap of the key leaves', async () => {
      const spendCap = { capNanoUsd: '100', spentNanoUsd: '20', version: '1', spendingKeyId: newKeyId() };
      const request = ranged({ spendCap });
      await grant(request.accountId, 1_000n, 0n);
      expect(await store.admit(request)).toMatchObject({ outcome: 'admitted', holdNanoUsd: 40n });
      expect(await store.admit(again(request))).toMatchObject({ outcome: 'admitted', holdNanoUsd: 30n });
      expect(await store.admit(again(request))).toMatchObject({ outcome: 'spend_cap', takenNanoUsd: 90n });
    });
  });

  it('refuses paid work of an account more than a dollar in debt, until it is topped up', async () => {
    const request = sampleRequest();
    const { accountId } = request;
    const grant = { accountId, epoch: 'e1', amountNanoUsd: 10n };
    await store.grant({ ...grant, sequence: 1n, reserveNanoUsd: 0n, reserveVersion: 1n });
    await store.admit(request);
    await store.settle(sampleSettlement(request, 1_000_000_011n));
    expect(await store.admit(again(request))).toMatchObject({ outcome: 'debt', balanceNanoUsd: -1_000_000_001n });
    expect(await store.admit({ ...again(request), isFree: true })).toMatchObject({ outcome: 'admitted' });
    await store.setReserve({ accountId, epoch: 'e1', reserveVersion: 2n, reserveNanoUsd: 2_000_000_000n });
    expect(await store.admit(again(request))).toMatchObject({ outcome: 'funds' });
  });

  it('holds nothing that the ledger has taken back, also of an account whose requests run on', async () => {
    const request = sampleRequest({ holdNanoUsd: 4n });
    const { accountId } = request;
    await store.grant({
      accountId,
      epoch: 'e1',
      amountNanoUsd: 20n,
      sequence: 1n,
      reserveNanoUsd: 80n,
      reserveVersion: 1n,
    });
    expect(await store.admit(request)).toMatchObject({ outcome: 'admitted' });
    await store.setReserve({ accountId, epoch: 'e1', reserveVersion: 2n, reserveNanoUsd: -13n });
    const ranged = { holdNanoUsd: 1n, holdRange: { fixedNanoUsd: 0n, mostNanoUsd: 9n }, takesLess: true };
    expect(await store.admit(again(request))).toMatchObject({ outcome: 'funds', missingNanoUsd: 1n });
    expect(await store.admit({ ...again(request), ...ranged })).toMatchObject({ outcome: 'admitted', holdNanoUsd: 1n });
    expect(await store.admit({ ...again(request), holdNanoUsd: 2n })).toMatchObject({ outcome: 'admitted' });
    expect(await store.admit({ ...again(request), holdNanoUsd: 1n })).toMatchObject({ outcome: 'funds' });
    expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 13n, heldNanoUsd: 7n });
  });

  it('takes no debt from a balance that Redis does not know', async () => {
    const request = sampleRequest();
    await store.settle(sampleSettlement(request, 2_000_000_000n));
    expect(await store.admit(again(request))).toMatchObject({ outcome: 'funds', balanceNanoUsd: null });
  });

  describe('rate', () => {
    it.each([1, 7, 13, 600])('admits a burst of %i requests and not one more', async (limit) => {
      const first = sampleRequest({ requestsPerMinute: limit, holdNanoUsd: 0n });
      for (let left = limit - 1; left >= 0; left -= 1) {
        expect(await store.admit(again(first))).toMatchObject({
          outcome: 'admitted',
          rate: { limit, remaining: left },
        });
      }
      expect(await store.admit(again(first))).toMatchObject({
        outcome: 'rate',
        retryAfterMs: Math.ceil(60_000 / limit),
        rate: { remaining: 0 },
      });
    });

    it('refills one request per interval', async () => {
      const first = sampleRequest({ requestsPerMinute: 3, holdNanoUsd: 0n });
      for (let count = 0; count < 3; count += 1) await store.admit(again(first));
      nowMs += 19_999;
      expect(await store.admit(again(first))).toMatchObject({ outcome: 'rate', retryAfterMs: 1 });
      nowMs += 1;
      expect(await store.admit(again(first))).toEqual({
        outcome: 'admitted',
        rate: { limit: 3, remaining: 0, resetMs: 60_000 },
        holdNanoUsd: 0n,
        heldTokens: 0,
      });
      nowMs += 40_000;
      expect(await store.admit(again(first))).toEqual({
        outcome: 'admitted',
        rate: { limit: 3, remaining: 1, resetMs: 40_000 },
        holdNanoUsd: 0n,
        heldTokens: 0,
      });
    });

    it('counts each key on its own', async () => {
      const first = sampleRequest({ requestsPerMinute: 1, holdNanoUsd: 0n });
      await store.admit(first);
      expect(await store.admit(sampleRequest({ requestsPerMinute: 1, holdNanoUsd: 0n }))).toMatchObject({
        outcome: 'admitted',
      });
    });
  });

  describe('the limits of an account', () => {
    const ofAccount = (limits: Partial<RequestLimits>, more: Partial<AdmissionRequest & RequestLimits> = {}) =>
      sampleRequest({ accountLimits: { requestsPerMinute: 0, concurrency: 0, ...limits }, holdNanoUsd: 0n, ...more });
    const byAnotherKey = (request: AdmissionRequest) => ({ ...again(request), keyId: newKeyId() });

    it('count the concurrent requests of all its keys and release them with each settlement', async () => {
      const first = ofAccount({ concurrency: 2 }, { concurrency: 1 });
      await store.admit(first);
      expect(await store.admit(again(first))).toMatchObject({ outcome: 'concurrency', scope: 'key' });
      const second = byAnotherKey(first);
      expect(await store.admit(second)).toMatchObject({ outcome: 'admitted' });
      const third = byAnotherKey(first);
      expect(await store.admit(third)).toMatchObject({ outcome: 'concurrency', scope: 'account' });
      await store.settle(sampleSettlement(second, 0n));
      expect(await store.admit(third)).toMatchObject({ outcome: 'admitted' });
    });

    it('count the rate of all its keys, and a refusal takes nothing from either rate', async () => {
      const first = ofAccount({ requestsPerMinute: 2 }, { requestsPerMinute: 5 });
      await store.admit(first);
      await store.admit(byAnotherKey(first));
      const before = await test.dump();
      expect(await store.admit(byAnotherKey(first))).toMatchObject({
        outcome: 'rate',
        scope: 'account',
        retryAfterMs: 30_000,
        rate: { limit: 2, remaining: 0 },
      });
      expect(await test.dump()).toEqual(before);
      expect(await store.admit(ofAccount({ requestsPerMinute: 2 }))).toMatchObject({ outcome: 'admitted' });
    });

    it('report the rate that leaves fewer requests', async () => {
      const first = ofAccount({ requestsPerMinute: 10 }, { requestsPerMinute: 3 });
      expect(await store.admit(first)).toMatchObject({ rate: { limit: 3, remaining: 2 } });
      for (let count = 0; count < 8; count += 1) await store.admit(byAnotherKey(first));
      expect(await store.admit(again(first))).toMatchObject({ rate: { limit: 10, remaining: 0 } });
      expect(await store.admit(again(first))).toMatchObject({ outcome: 'rate', scope: 'account' });
    });

    it('refuse by the key when its own rate is used up first', async () => {
      const first = ofAccount({ requestsPerMinute: 100 }, { requestsPerMinute: 1 });
      await store.admit(first);
      expect(await store.admit(again(first))).toMatchObject({ outcome: 'rate', scope: 'key', rate: { limit: 1 } });
      expect(await store.admit(byAnotherKey(first))).toMatchObject({ outcome: 'admitted' });
    });

    it('keep the lease of a long stream with its renewal', async () => {
      const request = ofAccount({ concurrency: 1 });
      await store.admit(request);
      nowMs += 50_000;
      await store.renew([request], 60_000, 90_000);
      nowMs += 59_999;
      expect(await store.admit(byAnotherKey(request))).toMatchObject({ outcome: 'concurrency', scope: 'account' });
      nowMs += 1;
      expect(await store.admit(byAnotherKey(request))).toMatchObject({ outcome: 'admitted' });
    });
  });

  describe('renewal', () => {
    it('extends the lease and the hold of a long stream', async () => {
      const request = sampleRequest({ concurrency: 1, holdNanoUsd: 0n, holdMs: 30_000 });
      await store.admit(request);
      nowMs += 50_000;
      expect(await store.expiredHolds(nowMs, 10)).toHaveLength(1);
      expect(await store.renew([request], 60_000, 90_000)).toEqual([]);
      expect(await store.expiredHolds(nowMs, 10)).toEqual([]);
      nowMs += 59_999;
      expect(await store.admit(again(request))).toMatchObject({ outcome: 'concurrency' });
      expect(await store.expiredHolds(Number.MAX_SAFE_INTEGER, 1)).toMatchObject([{ expiresAtMs: 1_140_000 }]);
    });

    it('counts from the clock of Redis, whatever that of the service says', async () => {
      const services = new AdmissionStore(test.redis, { keys: test.keys });
      const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
      const request = sampleRequest({ holdNanoUsd: 0n, holdMs: 60_000 });
      await services.admit(request);
      const expired = async (inMs: number) => (await services.expiredHolds((await services.now()) + inMs, 1)).length;
      expect([await expired(0), await expired(60_000)]).toEqual([0, 1]);
      await services.renew([request], 60_000, 120_000);
      expect([await expired(60_000), await expired(120_000)]).toEqual([0, 1]);
      clock.mockRestore();
    });

    it('never shortens a hold', async () => {
      const request = sampleRequest({ holdNanoUsd: 0n, holdMs: 4_000_000 });
      await store.admit(request);
      await store.renew([request], 1, 3_000_000);
      expect(await store.expiredHolds(Number.MAX_SAFE_INTEGER, 1)).toMatchObject([{ expiresAtMs: 5_000_000 }]);
    });

    it('returns the requests without a hold and writes nothing for them', async () => {
      const settled = sampleRequest({ concurrency: 1, holdNanoUsd: 0n });
      const running = sampleRequest({ concurrency: 1, holdNanoUsd: 0n });
      await store.admit(settled);
      await store.admit(running);
      await store.settle(sampleSettlement(settled, 0n));
      expect(await store.renew([settled, running], 60_000, 60_000)).toEqual([settled.requestId]);
      expect(await test.redis.exists(test.keys.of(settled.accountId).leases(settled.keyId))).toBe(0);
      expect(await store.renew([], 0, 0)).toEqual([]);
    });
  });
});
