import { newAccountId } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { UsageStream } from '../usage/usage-stream.js';
import { AdmissionStore } from './admission-store.js';
import { REMEMBERED_GRANTS } from './grant.js';
import { mirrorReserve } from './mirror-reserve.js';

describe('escrow', () => {
  let test: TestRedis;
  let store: AdmissionStore;
  const accountId = newAccountId();

  beforeEach(async () => {
    test = await TestRedis.open();
    store = new AdmissionStore(test.redis, { keys: test.keys });
    await store.beginEpoch('e1');
  });

  afterEach(() => test.close());

  const grant = (sequence: bigint, epoch = 'e1', amountNanoUsd = 10n) =>
    store.grant({ accountId, sequence, epoch, amountNanoUsd, reserveNanoUsd: sequence, reserveVersion: sequence });

  it('applies a grant once', async () => {
    const outcomes = await Promise.all([grant(1n), grant(1n), grant(1n)]);
    expect(outcomes.sort()).toEqual(['applied', 'duplicate', 'duplicate']);
    expect(await store.readAccount(accountId)).toEqual({
      spendableNanoUsd: 10n,
      heldNanoUsd: 0n,
      unsettledNanoUsd: 0n,
      grantSequence: 1n,
      returnSequence: 0n,
      returnedNanoUsd: 0n,
      reserveNanoUsd: 1n,
      reserveVersion: 1n,
    });
  });

  it('applies late grants, and stores the newest reserve', async () => {
    expect([await grant(3n), await grant(1n), await grant(2n), await grant(1n)]).toEqual([
      'applied',
      'applied',
      'applied',
      'duplicate',
    ]);
    expect(await store.readAccount(accountId)).toMatchObject({
      spendableNanoUsd: 30n,
      grantSequence: 3n,
      reserveNanoUsd: 3n,
    });
  });

  it('treats a grant older than the stored ones as a duplicate', async () => {
    const count = BigInt(REMEMBERED_GRANTS) + 5n;
    for (let sequence = 1n; sequence <= count; sequence += 1n) expect(await grant(sequence)).toBe('applied');
    expect(await grant(5n)).toBe('duplicate');
    expect(await grant(6n)).toBe('duplicate');
    expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: count * 10n });
    expect(await test.redis.zcard(test.keys.of(accountId).grants(accountId))).toBe(REMEMBERED_GRANTS);
  });

  it('writes nothing for another epoch or without one', async () => {
    const before = await test.dump();
    expect(await grant(1n, 'e0')).toBe('wrong_epoch');
    expect(await store.setReserve({ accountId, epoch: 'e0', reserveVersion: 1n, reserveNanoUsd: 1n })).toBe(
      'wrong_epoch',
    );
    expect(await test.dump()).toEqual(before);
    await test.loseEpochs();
    expect(await grant(1n, 'e1')).toBe('wrong_epoch');
    expect(await test.names()).toEqual([]);
  });

  it('never overwrites a newer reserve with an older one', async () => {
    const set = (reserveVersion: bigint, reserveNanoUsd: bigint) =>
      store.setReserve({ accountId, epoch: 'e1', reserveVersion, reserveNanoUsd });
    expect([await set(2n, 20n), await set(1n, 10n), await set(2n, 99n), await set(3n, -30n)]).toEqual([
      'applied',
      'stale',
      'stale',
      'applied',
    ]);
    expect(await store.readAccount(accountId)).toMatchObject({ reserveNanoUsd: -30n, reserveVersion: 3n });
  });

  it('mirrors the ledger balance, but not into an epoch that began meanwhile', async () => {
    const balance = { customerNanoUsd: 20n, customerVersion: 2n };
    await mirrorReserve(store, accountId, async () => balance);
    expect(await store.readAccount(accountId)).toMatchObject({ reserveNanoUsd: 20n, reserveVersion: 2n });
    await mirrorReserve(store, accountId, async () => {
      await test.lose();
      await store.beginEpoch('e2');
      return { customerNanoUsd: 10n, customerVersion: 3n };
    });
    expect(await store.readAccount(accountId)).toMatchObject({ reserveNanoUsd: 0n, reserveVersion: 0n });
  });

  it('does not read the ledger without an epoch, and stores nothing without a balance', async () => {
    await test.loseEpochs();
    await mirrorReserve(store, accountId, () => Promise.reject(new Error('the ledger was read')));
    await store.beginEpoch('e2');
    await mirrorReserve(store, accountId, async () => null);
    expect(await test.redis.exists(test.keys.of(accountId).account(accountId))).toBe(0);
  });

  it('stores amounts beyond the precision of doubles exactly', async () => {
    await grant(1n, 'e1', 2n ** 60n);
    await grant(2n, 'e1', 1n);
    expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 2n ** 60n + 1n });
  });

  it('lists every account page by page', async () => {
    const accountIds = Array.from({ length: 1_000 }, (_, index) => `acct_${index}`);
    for (const [index, id] of accountIds.entries()) {
      await test.redis.sadd(test.keys.shards[index % test.keys.shards.length]?.accounts ?? '', id);
    }
    // One shard with more than a page, between those of which many are one page.
    const many = Array.from({ length: 1_000 }, (_, index) => `acct_of_one_${index}`);
    await test.redis.sadd(test.keys.shards[3]?.accounts ?? '', ...many);
    accountIds.push(...many);
    const [found, pages] = [new Set<string>(), [] as number[]];
    for (let cursor: string | null = null, isLast = false; !isLast; ) {
      const page: Awaited<ReturnType<typeof store.accountIds>> = await store.accountIds(cursor, 100);
      for (const id of page.accountIds) found.add(id);
      pages.push(page.accountIds.length);
      [cursor, isLast] = [page.next, page.next === null];
    }
    expect([...found].sort()).toEqual(accountIds.sort());
    expect(pages.length).toBeGreaterThan(12);
    expect(pages.length).toBeLessThan(test.keys.shards.length);
    // SSCAN may give some more than it was asked for.
    expect(Math.max(...pages)).toBeLessThan(500);
  });

  it('opens one epoch for concurrent calls', async () => {
    await test.loseEpochs();
    expect(await store.currentEpoch(accountId)).toBeNull();
    const opened = await Promise.all([store.beginEpoch('e2'), store.beginEpoch('e3')]);
    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(['e2', 'e3']).toContain(await store.currentEpoch(accountId));
  });

  it('resets an account in a new epoch, and still settles its open hold', async () => {
    const request = sampleRequest({ accountId, holdNanoUsd: 6n });
    await grant(1n);
    await store.admit(request);
    await test.loseEpochs();
    await store.beginEpoch('e2');
    expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: -6n, heldNanoUsd: 6n });
    expect(await grant(1n, 'e2')).toBe('applied');
    await store.settle(sampleSettlement(request, 2n));
    expect(await store.readAccount(accountId)).toMatchObject({
      spendableNanoUsd: 8n,
      heldNanoUsd: 0n,
      unsettledNanoUsd: 2n,
    });
  });

  describe('takeBack', () => {
    const takeBack = (sequence: bigint, epoch = 1n) => store.takeBack({ accountId, sequence, epoch });
    const state = () => store.readAccount(accountId);

    beforeEach(async () => {
      await test.loseEpochs();
      await store.beginEpoch('1');
      await grant(1n, '1');
    });

    it('takes once per return, and the displayed balance stays the same', async () => {
      expect(await Promise.all([takeBack(1n), takeBack(1n), takeBack(1n)])).toEqual([10n, 10n, 10n]);
      expect(await state()).toMatchObject({ spendableNanoUsd: 0n, returnedNanoUsd: 10n, reserveNanoUsd: 11n });
      expect(await store.setReserve({ accountId, epoch: '1', reserveVersion: 2n, reserveNanoUsd: 11n })).toBe(
        'applied',
      );
    });

    it('takes nothing more for the same return or an older one', async () => {
      expect(await takeBack(2n)).toBe(10n);
      await grant(2n, '1');
      expect([await takeBack(2n), await takeBack(1n)]).toEqual([10n, 0n]);
      expect(await state()).toMatchObject({ spendableNanoUsd: 10n, returnSequence: 2n });
      expect(await takeBack(3n)).toBe(10n);
    });

    it('applies a grant that is delivered after it', async () => {
      await grant(3n, '1');
      expect(await takeBack(1n)).toBe(20n);
      expect([await grant(2n, '1'), await grant(3n, '1')]).toEqual(['applied', 'duplicate']);
      expect(await state()).toMatchObject({ spendableNanoUsd: 10n, returnedNanoUsd: 20n });
    });

    it('takes nothing while a request runs or is unbooked, and decides that once per return', async () => {
      const request = sampleRequest({ accountId, holdNanoUsd: 6n });
      await store.admit(request);
      expect(await takeBack(1n)).toBe(0n);
      await store.settle(sampleSettlement(request, 2n));
      expect([await takeBack(1n), await takeBack(2n)]).toEqual([0n, 0n]);
      expect(await state()).toMatchObject({ spendableNanoUsd: 8n, unsettledNanoUsd: 2n });
    });

    it('takes nothing from an account in debt', async () => {
      const request = sampleRequest({ accountId, holdNanoUsd: 6n });
      await store.admit(request);
      await store.settle(sampleSettlement(request, 12n));
      const stream = new UsageStream(test.redis, { keys: test.keys, onDead: () => undefined });
      const [entry] = await stream.read({ consumer: 'a', count: 10, blockMs: 1 });
      await store.acknowledge([{ streamId: entry?.streamId ?? '', accountId, costNanoUsd: 12n, isDuplicate: false }]);
      expect(await takeBack(1n)).toBe(0n);
      expect(await state()).toMatchObject({ spendableNanoUsd: -2n, reserveNanoUsd: 1n });
    });

    it('writes nothing in another epoch or without one', async () => {
      const before = await test.dump();
      expect(await takeBack(1n, 2n)).toBeNull();
      expect(await test.dump()).toEqual(before);
      await test.loseEpochs();
      expect(await takeBack(1n)).toBeNull();
    });

    it('is exact beyond the precision of doubles', async () => {
      await grant(2n, '1', 2n ** 60n + 1n);
      expect(await takeBack(1n)).toBe(2n ** 60n + 11n);
      expect(await state()).toMatchObject({ spendableNanoUsd: 0n, reserveNanoUsd: 2n ** 60n + 13n });
    });
  });

  describe('acknowledge', () => {
    async function usage() {
      await grant(1n);
      await store.settle(sampleSettlement(sampleRequest({ accountId }), 3n));
      const stream = new UsageStream(test.redis, { keys: test.keys, onDead: () => undefined });
      return stream.read({ consumer: 'a', count: 10, blockMs: 1 });
    }

    it('counts once, also when repeated', async () => {
      const [entry] = await usage();
      const booked = { streamId: entry?.streamId ?? '', accountId, costNanoUsd: 3n, isDuplicate: false };
      const counts = await Promise.all([store.acknowledge([booked]), store.acknowledge([booked, booked])]);
      expect(counts[0] + counts[1]).toBe(1);
      expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 7n, unsettledNanoUsd: 0n });
      expect(await test.redis.xlen(test.keys.of(accountId).usage)).toBe(0);
    });

    it('refunds the cost of a duplicate', async () => {
      const [entry] = await usage();
      await store.acknowledge([{ streamId: entry?.streamId ?? '', accountId, costNanoUsd: 3n, isDuplicate: true }]);
      expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 10n, unsettledNanoUsd: 0n });
    });

    it('ignores unread entries', async () => {
      expect(await store.acknowledge([])).toBe(0);
      expect(await store.acknowledge([{ streamId: '1-1', accountId, costNanoUsd: 3n, isDuplicate: true }])).toBe(0);
      expect(await store.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 0n, unsettledNanoUsd: 0n });
    });
  });
});
