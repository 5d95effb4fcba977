import { type AccountId, newAccountId, shardOf } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { AdmissionStore } from './admission-store.js';

/** Another account, whose holds have keys beside the first one's. */
function inSameShard(accountId: string): AccountId {
  for (;;) {
    const other = newAccountId();
    if (shardOf(other) === shardOf(accountId)) return other;
  }
}

describe('AdmissionStore.settle', () => {
  let test: TestRedis;
  let store: AdmissionStore;

  beforeEach(async () => {
    test = await TestRedis.open();
    store = new AdmissionStore(test.redis, { keys: test.keys, nowMs: () => 1_000 });
    await store.beginEpoch('e1');
  });

  afterEach(() => test.close());

  async function admitted(holdNanoUsd: bigint, holdMs = 9_000_000) {
    const request = sampleRequest({ holdNanoUsd, holdMs, concurrency: 1 });
    await store.grant({
      accountId: request.accountId,
      sequence: 1n,
      epoch: 'e1',
      amountNanoUsd: 100n,
      reserveNanoUsd: 1_000n,
      reserveVersion: 1n,
    });
    await store.admit(request);
    return request;
  }
  const events = async () => {
    const entries = await Promise.all(test.keys.shards.map(({ usage }) => test.redis.xrange(usage, '-', '+')));
    return entries.flat().map(([, [, text = '']]) => JSON.parse(text) as unknown);
  };

  it.each([
    ['a cost below', 4n, 96n],
    ['a cost equal to', 10n, 90n],
    ['a cost above', 25n, 75n],
    ['a cost that leaves debt above', 130n, -30n],
  ])('charges %s the hold', async (_title, cost, spendableNanoUsd) => {
    const request = await admitted(10n);
    const event = sampleSettlement(request, cost);
    expect(await store.settle(event)).toEqual({
      applied: true,
      holdFound: true,
      outcome: 'completed',
      costNanoUsd: cost,
      balanceNanoUsd: 1_000n + spendableNanoUsd,
    });
    expect(await store.settle({ ...event, costNanoUsd: '0' })).toMatchObject({ applied: false, costNanoUsd: cost });
    expect(await store.readAccount(request.accountId)).toMatchObject({
      spendableNanoUsd,
      heldNanoUsd: 0n,
      unsettledNanoUsd: cost,
    });
    expect(await events()).toEqual([{ ...event, holdNanoUsd: '10' }]);
    expect(await store.expiredHolds(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    const money = test.keys.of(request.accountId);
    expect(await test.redis.exists(money.hold(request.requestId), money.leases(request.keyId))).toBe(0);
  });

  it('refuses a cost that Redis cannot add, and returns nothing of the hold however often it is repeated', async () => {
    const request = await admitted(10n);
    const before = await store.readAccount(request.accountId);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(store.settle(sampleSettlement(request, 2n ** 63n))).rejects.toThrow(RangeError);
    }
    expect(await store.readAccount(request.accountId)).toEqual(before);
    expect(await store.settle(sampleSettlement(request, 4n))).toMatchObject({ applied: true, holdFound: true });
  });

  it('includes other holds in the balance', async () => {
    const request = await admitted(10n);
    const other = { ...request, requestId: sampleRequest().requestId, concurrency: 0, holdNanoUsd: 50n };
    await store.admit(other);
    expect(await store.settle(sampleSettlement(request, 4n))).toMatchObject({ balanceNanoUsd: 1_096n });
  });

  it('applies once for concurrent settlements', async () => {
    const request = await admitted(10n);
    const settlements = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.settle(sampleSettlement(request, BigInt(index)))),
    );
    expect(settlements.filter(({ applied }) => applied)).toHaveLength(1);
    const { spendableNanoUsd, unsettledNanoUsd } = await store.readAccount(request.accountId);
    expect(spendableNanoUsd + unsettledNanoUsd).toBe(100n);
    expect(await events()).toHaveLength(1);
  });

  it('charges and reports the cost if Redis lost the hold', async () => {
    const request = sampleRequest();
    expect(await store.settle(sampleSettlement(request, 7n))).toEqual({
      applied: true,
      holdFound: false,
      outcome: 'completed',
      costNanoUsd: 7n,
      balanceNanoUsd: -7n,
    });
    const { shard } = test.keys.of(request.accountId);
    expect((await store.accountIds(`${shard}:0`, 10)).accountIds).toEqual([request.accountId]);
    expect(await events()).toMatchObject([{ requestId: request.requestId, holdNanoUsd: '0', attempts: [] }]);
  });

  it.each([
    ['held', 'failed'],
    ['failed', 'held'],
  ] as const)('returns the first outcome, %s, to the second call', async (first, second) => {
    const request = await admitted(10n);
    const amount = (outcome: string) => (outcome === 'held' ? 10n : 0n);
    await store.settle(sampleSettlement(request, amount(first), { outcome: first }));
    const before = await store.readAccount(request.accountId);
    expect(await store.settle(sampleSettlement(request, amount(second), { outcome: second }))).toMatchObject({
      applied: false,
      outcome: first,
    });
    expect(await store.readAccount(request.accountId)).toEqual(before);
  });

  it('returns a null outcome for the tombstone of an older release', async () => {
    const request = await admitted(10n);
    await test.redis.set(test.keys.of(request.accountId).settled(request.requestId), '', 'PX', 60_000);
    expect(await store.settle(sampleSettlement(request, 10n, { outcome: 'held' }))).toMatchObject({
      applied: false,
      outcome: null,
    });
  });

  it('rejects the hold of another account', async () => {
    const request = await admitted(10n);
    const stranger = { ...request, accountId: inSameShard(request.accountId) };
    const before = await test.dump();
    await expect(store.settle(sampleSettlement(stranger, 1n))).rejects.toThrow('WRONGACCOUNT');
    expect(await test.dump()).toEqual(before);
  });

  it('rejects a negative cost', async () => {
    await expect(store.settle(sampleSettlement(sampleRequest(), -1n))).rejects.toThrow(RangeError);
  });

  it('stores the tombstone for 30 minutes', async () => {
    const request = await admitted(10n);
    await store.settle(sampleSettlement(request, 1n));
    const leftMs = await test.redis.pttl(test.keys.of(request.accountId).settled(request.requestId));
    expect(leftMs).toBeGreaterThan(29 * 60_000);
    expect(leftMs).toBeLessThanOrEqual(30 * 60_000);
  });

  describe('by the sweeper', () => {
    const expired = { outcome: 'expired', settledAtMs: 5_000 } as const;

    it('settles an expired hold', async () => {
      const request = await admitted(10n, 4_000);
      const holds = await store.expiredHolds(5_000, 10);
      expect(holds).toMatchObject([{ requestId: request.requestId, amountNanoUsd: 10n, about: request.about }]);
      expect(await store.expiredHolds(4_999, 10)).toEqual([]);
      expect(await store.settle(sampleSettlement(request, 0n, expired))).toMatchObject({ applied: true });
      expect(await store.readAccount(request.accountId)).toMatchObject({ spendableNanoUsd: 100n, heldNanoUsd: 0n });
    });

    it('does not settle a hold that was renewed meanwhile', async () => {
      const request = await admitted(10n, 4_000);
      await store.renew([request], 5_000, 4_001);
      expect(await store.settle(sampleSettlement(request, 0n, expired))).toMatchObject({ applied: false });
      expect(await store.settle(sampleSettlement(request, 4n))).toMatchObject({ applied: true, holdFound: true });
    });

    it('does nothing without a hold', async () => {
      const request = sampleRequest();
      expect(await store.settle(sampleSettlement(request, 0n, expired))).toMatchObject({ applied: false });
      expect(await events()).toEqual([]);
    });
  });
});
