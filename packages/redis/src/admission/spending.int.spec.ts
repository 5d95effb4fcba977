import { newAccountId, newKeyId, type SpendCap } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { UsageStream } from '../usage/usage-stream.js';
import { AdmissionStore } from './admission-store.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('the spend cap of a key', () => {
  let test: TestRedis;
  let store: AdmissionStore;
  let stream: UsageStream;
  const accountId = newAccountId();
  const spendingKeyId = newKeyId();

  beforeEach(async () => {
    test = await TestRedis.open();
    store = new AdmissionStore(test.redis, { keys: test.keys, nowMs: () => 1_000 });
    stream = new UsageStream(test.redis, { keys: test.keys, onDead: () => undefined });
    await begin();
  });

  afterEach(() => test.close());

  async function begin() {
    await store.beginEpoch('e1');
    const grant = { accountId, sequence: 1n, epoch: 'e1', reserveNanoUsd: 0n, reserveVersion: 1n };
    await store.grant({ ...grant, amountNanoUsd: 1_000_000n });
  }
  const cap = (capNanoUsd: bigint, spent = 0n, version = 0n): SpendCap => ({
    capNanoUsd: capNanoUsd.toString(),
    spendingKeyId,
    spentNanoUsd: spent.toString(),
    version: version.toString(),
  });
  const capped = (holdNanoUsd: bigint, spendCap: SpendCap, more = {}) =>
    sampleRequest({ accountId, holdNanoUsd, spendCap, ...more });
  const outcomeOf = async (holdNanoUsd: bigint, spendCap: SpendCap) =>
    (await store.admit(capped(holdNanoUsd, spendCap))).outcome;
  const state = () => store.readSpending(accountId, spendingKeyId);

  it('admits exactly ten of forty concurrent requests when it covers ten', async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => outcomeOf(10n, cap(109n))));
    expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'spend_cap')).toHaveLength(30);
    expect(await state()).toEqual({ spentNanoUsd: 0n, unsettledNanoUsd: 0n, heldNanoUsd: 100n });
    expect(await store.readAccount(accountId)).toMatchObject({ heldNanoUsd: 100n });
  });

  it('writes nothing when it refuses, and returns the amount that counts against it', async () => {
    const before = await test.dump();
    const refused = capped(10n, cap(100n, 91n, 3n), { requestsPerMinute: 5, concurrency: 5 });
    expect(await store.admit(refused)).toMatchObject({ outcome: 'spend_cap', takenNanoUsd: 91n });
    expect(await test.dump()).toEqual(before);
    expect(await outcomeOf(9n, cap(100n, 91n, 3n))).toBe('admitted');
  });

  it('limits with the balance what a running request may use beyond its hold', async () => {
    const request = capped(10n, cap(100n, 20n));
    expect(await store.headroom(accountId, request.requestId)).toBeNull();
    await store.admit(request);
    expect(await store.headroom(accountId, request.requestId)).toBe(70n);
    const uncapped = sampleRequest({ accountId, holdNanoUsd: 999_900n });
    await store.admit(uncapped);
    expect(await store.headroom(accountId, uncapped.requestId)).toBe(90n);
    await store.settle(sampleSettlement(uncapped, 2_000_000n));
    expect(await store.headroom(accountId, request.requestId)).toBe(0n);
  });

  it('is checked before the balance', async () => {
    expect(await outcomeOf(2_000_000n, cap(1n))).toBe('spend_cap');
    expect(await outcomeOf(2_000_000n, cap(2_000_000n))).toBe('funds');
  });

  it('writes nothing for keys without a cap', async () => {
    const free = sampleRequest({ accountId });
    await store.admit(free);
    await store.settle(sampleSettlement(free, 4n));
    expect((await test.names()).filter((name) => name.includes('spending'))).toEqual([]);
    expect(await store.setSpending(accountId, cap(0n, 4n, 1n))).toBe(false);
    expect((await test.names()).filter((name) => name.includes('spending'))).toEqual([]);
  });

  it('is shared by keys with one spending count, each with its own amount', async () => {
    const [old, successor] = [capped(30n, cap(50n)), capped(30n, cap(50n))];
    expect(old.keyId).not.toBe(successor.keyId);
    expect(await store.admit(old)).toMatchObject({ outcome: 'admitted' });
    expect(await store.admit(successor)).toMatchObject({ outcome: 'spend_cap', takenNanoUsd: 30n });
    expect(await outcomeOf(30n, cap(60n))).toBe('admitted');
  });

  it('counts the cost instead of the hold once, even for repeated settlements', async () => {
    const request = capped(10n, cap(100n));
    await store.admit(request);
    await store.admit(request);
    await Promise.all([store.settle(sampleSettlement(request, 14n)), store.settle(sampleSettlement(request, 3n))]);
    const { unsettledNanoUsd, heldNanoUsd } = await state();
    expect([14n, 3n]).toContain(unsettledNanoUsd);
    expect(heldNanoUsd).toBe(0n);
  });

  it('is released when a hold expires', async () => {
    const request = capped(10n, cap(10n), { holdMs: 500 });
    await store.admit(request);
    expect(await outcomeOf(1n, cap(10n))).toBe('spend_cap');
    await store.settle(sampleSettlement(request, 0n, { outcome: 'expired', settledAtMs: 1_600 }));
    expect(await outcomeOf(10n, cap(10n))).toBe('admitted');
  });

  it('moves a cost from unsettled to spent when it is acknowledged', async () => {
    const request = capped(10n, cap(100n));
    await store.admit(request);
    await store.settle(sampleSettlement(request, 7n));
    const [entry] = await stream.read({ consumer: 'a', count: 10, blockMs: 1 });
    expect(entry?.event.spendingKeyId).toBe(spendingKeyId);
    const booked = { streamId: entry?.streamId ?? '', accountId, costNanoUsd: 7n, isDuplicate: false, spendingKeyId };
    const totals = { spendings: [{ ...cap(0n, 7n, 1n), accountId }] };
    await Promise.all([store.acknowledge([booked], totals), store.acknowledge([booked], totals)]);
    expect(await state()).toEqual({ spentNanoUsd: 7n, unsettledNanoUsd: 0n, heldNanoUsd: 0n });
  });

  it('leaves Redis a day after the last request is booked, and not while something is open', async () => {
    const name = test.keys.of(accountId).spending(spendingKeyId);
    const book = async (costNanoUsd: bigint) => {
      const [entry] = await stream.read({ consumer: 'a', count: 10, blockMs: 1 });
      const booked = { streamId: entry?.streamId ?? '', accountId, costNanoUsd, isDuplicate: false, spendingKeyId };
      await store.acknowledge([booked], { spendings: [{ ...cap(0n, 7n, 1n), accountId }] });
    };
    const [first, second] = [capped(10n, cap(100n)), capped(10n, cap(100n))];
    await store.admit(first);
    await store.admit(second);
    await store.settle(sampleSettlement(first, 7n));
    await book(7n);
    expect(await test.redis.pttl(name)).toBe(-1);
    await store.settle(sampleSettlement(second, 0n));
    await book(0n);
    expect(await test.redis.pttl(name)).toBeGreaterThan(DAY_MS - 60_000);
    // The next admission keeps it, and counts what the ledger has booked.
    expect(await outcomeOf(93n, cap(100n, 7n, 1n))).toBe('admitted');
    expect(await test.redis.pttl(name)).toBe(-1);
  });

  it('does not come back below zero once it has left', async () => {
    const request = capped(10n, cap(100n));
    await store.admit(request);
    await test.redis.del(test.keys.of(accountId).spending(spendingKeyId));
    await store.settle(sampleSettlement(request, 7n));
    expect(await state()).toEqual({ spentNanoUsd: 0n, unsettledNanoUsd: 0n, heldNanoUsd: 0n });
    const [entry] = await stream.read({ consumer: 'a', count: 10, blockMs: 1 });
    expect(entry?.event.spendingKeyId).toBe(spendingKeyId);
    const booked = { streamId: entry?.streamId ?? '', accountId, costNanoUsd: 7n, isDuplicate: false, spendingKeyId };
    await store.acknowledge([booked]);
    expect(await state()).toEqual({ spentNanoUsd: 0n, unsettledNanoUsd: 0n, heldNanoUsd: 0n });
  });

  it('leaves Redis also if its key has only reserved a budget', async () => {
    await store.reserveSpending(accountId, cap(0n, 40n, 4n));
    expect(await test.redis.pttl(test.keys.of(accountId).spending(spendingKeyId))).toBeGreaterThan(0);
  });

  it('ignores older counts, and decreases after a refund', async () => {
    await outcomeOf(1n, cap(100n, 50n, 5n));
    expect(await store.setSpending(accountId, cap(0n, 40n, 4n))).toBe(false);
    await outcomeOf(1n, cap(100n, 40n, 4n));
    expect(await state()).toMatchObject({ spentNanoUsd: 50n, heldNanoUsd: 2n });
    expect(await store.setSpending(accountId, cap(0n, 20n, 6n))).toBe(true);
    expect(await state()).toMatchObject({ spentNanoUsd: 20n });
    await outcomeOf(1n, cap(100n, 10n, 7n));
    expect(await state()).toMatchObject({ spentNanoUsd: 10n });
  });
});
