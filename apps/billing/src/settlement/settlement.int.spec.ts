import { createKey, findKeyBySha256, recordSettlements } from '@gateway/postgres';
import { totalOf } from '@gateway/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toKeySettings } from '../../../accounts/src/keys/key-settings.js';
import { makeKey } from '../../../accounts/src/keys/new-key.js';
import type { BillingResources } from '../resources.js';
import { openStages } from '../test-support/open-stages.js';
import { checkedPosition, sampleAdmission, settlementForAdmission, TestBilling } from '../test-support/test-billing.js';

const { signal } = new AbortController();
const AT_ONCE = { blockMs: 1, staleAfterMs: 0 };
const FRESH_ONLY = { blockMs: 1, staleAfterMs: 3_600_000 };

describe('settlement', () => {
  let test: TestBilling;
  let resources: BillingResources;
  let billing: ReturnType<typeof openStages>;

  beforeAll(async () => {
    test = await TestBilling.open();
    resources = await test.resources();
  });

  beforeEach(async () => {
    await test.loseRedis(resources);
    billing = openStages(resources);
    await billing.followEpoch.follow();
  });

  afterAll(() => test.close());

  const epochNow = async () => BigInt((await resources.admissionStore.currentEpochs())[0] ?? 0);
  const unbooked = async () => totalOf(await resources.admissionStore.readShards(0)).unbookedEvents;

  /** Expects Redis and the ledger to agree about this account. */
  async function agreed(accountId: string) {
    const state = await resources.admissionStore.readAccount(accountId);
    const position = await checkedPosition(resources.database, accountId);
    expect(state.spendableNanoUsd + state.heldNanoUsd + state.unsettledNanoUsd).toBe(position.escrowNanoUsd);
    return { ...state, ...position, ownedNanoUsd: position.customerNanoUsd + position.escrowNanoUsd };
  }

  async function running(creditNanoUsd: bigint, holdNanoUsd: bigint) {
    const accountId = await test.account(resources, creditNanoUsd);
    await billing.grantEscrow.grant(accountId, creditNanoUsd);
    const request = sampleAdmission(accountId, holdNanoUsd);
    expect((await resources.admissionStore.admit(request)).outcome).toBe('admitted');
    return { accountId, request };
  }

  it('records usage in the ledger', async () => {
    const { accountId, request } = await running(100n, 50n);
    await resources.admissionStore.settle(settlementForAdmission(request, 30n));
    expect(await agreed(accountId)).toMatchObject({ unsettledNanoUsd: 30n, ownedNanoUsd: 100n });
    await billing.consumeUsage.consume(FRESH_ONLY, signal);
    expect(await agreed(accountId)).toMatchObject({ unsettledNanoUsd: 0n, spendableNanoUsd: 70n, ownedNanoUsd: 70n });
    expect(await unbooked()).toBe(0);
  });

  it('counts once a batch that a dead process had recorded and not acknowledged', async () => {
    const { accountId, request } = await running(100n, 50n);
    await resources.admissionStore.settle(settlementForAdmission(request, 30n));
    const entries = await resources.usageStream.read({ consumer: 'dead', count: 10, blockMs: 1 });
    await recordSettlements(resources.database, entries, await epochNow());
    expect(await checkedPosition(resources.database, accountId)).toMatchObject({ escrowNanoUsd: 70n });
    await billing.consumeUsage.consume(AT_ONCE, signal);
    expect(await agreed(accountId)).toMatchObject({ unsettledNanoUsd: 0n, spendableNanoUsd: 70n, ownedNanoUsd: 70n });
    expect(await unbooked()).toBe(0);
  });

  it('records a batch that a dead process had read', async () => {
    const { accountId, request } = await running(100n, 50n);
    await resources.admissionStore.settle(settlementForAdmission(request, 30n));
    await resources.usageStream.read({ consumer: 'dead', count: 10, blockMs: 1 });
    await billing.consumeUsage.consume(AT_ONCE, signal);
    expect(await agreed(accountId)).toMatchObject({ ownedNanoUsd: 70n });
  });

  it('returns a second charge by Redis for one request', async () => {
    const { accountId, request } = await running(100n, 50n);
    await resources.admissionStore.settle(settlementForAdmission(request, 30n));
    await resources.redis.del(resources.keys.of(accountId).settled(request.requestId));
    await resources.admissionStore.settle(settlementForAdmission(request, 30n));
    await billing.consumeUsage.consume(FRESH_ONLY, signal);
    expect(await agreed(accountId)).toMatchObject({ unsettledNanoUsd: 0n, spendableNanoUsd: 70n, ownedNanoUsd: 70n });
  });

  it('happens once with several processes', async () => {
    const accountId = await test.account(resources, 1_000n);
    await billing.grantEscrow.grant(accountId, 1_000n);
    const requests = Array.from({ length: 200 }, () => sampleAdmission(accountId, 1n));
    await Promise.all(requests.map((request) => resources.admissionStore.admit(request)));
    await Promise.all(requests.map((request) => resources.admissionStore.settle(settlementForAdmission(request, 2n))));
    const processes = [billing, openStages(await test.resources()), openStages(await test.resources())];
    for (const { followEpoch } of processes) await followEpoch.follow();
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(processes.map(({ consumeUsage }) => consumeUsage.consume(AT_ONCE, signal)));
    }
    expect(await agreed(accountId)).toMatchObject({ unsettledNanoUsd: 0n, ownedNanoUsd: 600n });
    expect(await unbooked()).toBe(0);
  });

  it('parks an event that the ledger rejects, without a charge', async () => {
    const { accountId, request } = await running(100n, 50n);
    const invalid = sampleAdmission(accountId, 10n);
    await resources.admissionStore.admit(invalid);
    await resources.admissionStore.settle({ ...settlementForAdmission(invalid, 10n), admittedAtMs: 1e300 });
    await resources.admissionStore.settle(settlementForAdmission(request, 30n));
    await billing.consumeUsage.consume(FRESH_ONLY, signal);
    expect(await agreed(accountId)).toMatchObject({ unsettledNanoUsd: 0n, spendableNanoUsd: 70n, ownedNanoUsd: 70n });
    expect(await billing.reconcile.round(Date.now())).toMatchObject({ parkedEvents: 1, unsettledEvents: 0 });
  });

  it('counts each cost once against the cap of its key, before and after it is recorded', async () => {
    const { accountId, request } = await running(100n, 50n);
    const { stored } = makeKey(accountId);
    await createKey(
      resources.database,
      { ...stored, id: request.keyId },
      { ...toKeySettings({ name: 'k' }), spendCapNanoUsd: 60n },
    );
    const capOf = async () => (await findKeyBySha256(resources.database, stored.sha256))?.spendCap ?? undefined;
    const cap = await capOf();
    if (cap === undefined) throw new Error('the key has no cap');
    const capped = { ...sampleAdmission(accountId, 20n), keyId: request.keyId, spendCap: cap };
    expect(await resources.admissionStore.admit(capped)).toMatchObject({ outcome: 'admitted' });
    const spending = () => resources.admissionStore.readSpending(accountId, request.keyId);
    expect(await spending()).toEqual({ spentNanoUsd: 0n, unsettledNanoUsd: 0n, heldNanoUsd: 20n });
    await resources.admissionStore.settle(settlementForAdmission(capped, 15n));
    // The request was admitted before the key had a cap. It counts once it is recorded.
    await resources.admissionStore.settle(settlementForAdmission(request, 30n));
    expect(await spending()).toEqual({ spentNanoUsd: 0n, unsettledNanoUsd: 15n, heldNanoUsd: 0n });
    await billing.consumeUsage.consume(FRESH_ONLY, signal);
    expect(await spending()).toEqual({ spentNanoUsd: 45n, unsettledNanoUsd: 0n, heldNanoUsd: 0n });
    expect(await capOf()).toMatchObject({ spentNanoUsd: '45' });
    await test.loseRedis(resources);
    await billing.followEpoch.follow();
    expect(await billing.grantEscrow.grant(accountId, 40n)).toMatchObject({ granted: true });
    const again = async (holdNanoUsd: bigint) => {
      const next = { ...sampleAdmission(accountId, holdNanoUsd), keyId: request.keyId };
      const fresh = await capOf();
      return resources.admissionStore.admit({ ...next, ...(fresh !== undefined && { spendCap: fresh }) });
    };
    expect(await again(16n)).toMatchObject({ outcome: 'spend_cap', takenNanoUsd: 45n });
    expect(await again(15n)).toMatchObject({ outcome: 'admitted' });
  });

  describe('after Redis lost its data', () => {
    it('keeps every balance, also with running requests', async () => {
      const { accountId, request } = await running(100n, 50n);
      const other = await test.account(resources, 7n);
      await test.loseRedis(resources);
      await billing.followEpoch.follow();
      expect(await agreed(accountId)).toMatchObject({ ownedNanoUsd: 100n, customerNanoUsd: 100n, heldNanoUsd: 0n });
      expect(await agreed(other)).toMatchObject({ ownedNanoUsd: 7n });
      await resources.admissionStore.settle(settlementForAdmission(request, 30n));
      await billing.consumeUsage.consume(FRESH_ONLY, signal);
      expect(await agreed(accountId)).toMatchObject({ ownedNanoUsd: 70n, spendableNanoUsd: -30n });
      expect(await billing.grantEscrow.grant(accountId, 40n)).toEqual({ granted: true, amountNanoUsd: 40n });
      expect(await agreed(accountId)).toMatchObject({ ownedNanoUsd: 70n, spendableNanoUsd: 10n });
    });

    it('charges a cost that was settled before billing noticed', async () => {
      const { accountId, request } = await running(100n, 50n);
      await test.loseRedis(resources);
      await resources.admissionStore.settle(settlementForAdmission(request, 30n));
      await billing.consumeUsage.consume(FRESH_ONLY, signal);
      expect(await checkedPosition(resources.database, accountId)).toMatchObject({ escrowNanoUsd: 100n });
      await billing.followEpoch.follow();
      await billing.consumeUsage.consume(AT_ONCE, signal);
      expect(await agreed(accountId)).toMatchObject({ ownedNanoUsd: 70n, unsettledNanoUsd: 0n });
    });

    it('records a batch of the earlier epoch after the ledger followed', async () => {
      const { accountId, request } = await running(100n, 50n);
      await resources.admissionStore.settle(settlementForAdmission(request, 30n));
      const entries = await resources.usageStream.read({ consumer: 'slow', count: 10, blockMs: 1 });
      const before = await epochNow();
      await test.loseRedis(resources);
      await billing.followEpoch.follow();
      expect(await billing.recordBatch.record(entries, () => before)).toBe(true);
      expect(await agreed(accountId)).toMatchObject({ ownedNanoUsd: 70n });
    });

    it('begins one epoch, however many processes notice', async () => {
      const { accountId } = await running(100n, 50n);
      const processes = [billing, openStages(await test.resources()), openStages(await test.resources())];
      for (let epochs = 2; epochs <= 4; epochs += 1) {
        await test.loseRedis(resources);
        await Promise.all(processes.map(({ followEpoch }) => followEpoch.follow()));
        for (const { followEpoch } of processes) expect(followEpoch.isFollowing).toBe(true);
        expect(await agreed(accountId)).toMatchObject({ ownedNanoUsd: 100n });
        expect(await processes[1]?.grantEscrow.grant(accountId, 60n)).toMatchObject({ granted: true });
        expect(await agreed(accountId)).toMatchObject({ ownedNanoUsd: 100n, spendableNanoUsd: 60n });
      }
    });
  });
});
