import { type AccountId, SHARDS } from '@gateway/contracts';
import { activeEpochs, followEpoch, nextEpoch } from '@gateway/postgres';
import { admitWithBlocks } from '@gateway/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BillingResources } from '../resources.js';
import { openStages } from '../test-support/open-stages.js';
import { checkedPosition, sampleAdmission, settlementForAdmission, TestBilling } from '../test-support/test-billing.js';

const { signal } = new AbortController();
const CREDIT = 1_000n;
const BLOCK = 50n;

describe('a new epoch of Redis', () => {
  let test: TestBilling;
  let resources: BillingResources;
  let billing: ReturnType<typeof openStages>;
  let other: ReturnType<typeof openStages>;
  let accountIds: readonly AccountId[];

  beforeAll(async () => {
    test = await TestBilling.open();
    resources = await test.resources();
  });

  afterAll(() => test.close());

  /** Every account has a block in escrow when Redis loses its data. */
  beforeEach(async () => {
    await test.loseRedis(resources);
    [billing, other] = [openStages(resources), openStages(await test.resources())];
    await billing.followEpoch.follow();
    accountIds = await Promise.all([1, 2, 3, 4, 5].map(() => test.account(resources, CREDIT)));
    for (const accountId of accountIds) await billing.grantEscrow.grant(accountId, BLOCK);
    await test.loseRedis(resources);
  });

  const admit = (accountId: AccountId, process = billing) => {
    const request = sampleAdmission(accountId, BLOCK);
    return admitWithBlocks(
      () => resources.admissionStore.admit(request),
      async (missing) => (await process.grantEscrow.grant(accountId, missing)).granted,
    ).then((outcome) => ({ request, outcome: outcome?.outcome }));
  };

  /** The state after a process died: a new epoch in Redis, and two accounts with returned escrow. */
  async function dieInTheMiddle(): Promise<string> {
    const epoch = await nextEpoch(resources.database);
    await resources.admissionStore.beginEpoch(epoch.toString());
    const step = await followEpoch(resources.database, epoch, { afterId: 0n, limit: 2 });
    expect(step).toMatchObject({ outcome: 'returning', accounts: 2n, returnedNanoUsd: 2n * BLOCK });
    return epoch.toString();
  }

  /** The sum of both processes' counters. */
  async function rebuilds(): Promise<number> {
    const texts = await Promise.all([billing, other].map((one) => one.registry.metrics()));
    const counts = texts.map((text) => Number(/^gateway_redis_rebuilds_total\S* (\d+)$/m.exec(text)?.[1]));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  const eachOwns = async (balanceNanoUsd: bigint) => {
    for (const accountId of accountIds) {
      const { customerNanoUsd, escrowNanoUsd } = await checkedPosition(resources.database, accountId);
      expect(customerNanoUsd + escrowNanoUsd).toBe(balanceNanoUsd);
      expect(await billing.balanceReader.read(accountId)).toEqual({
        balanceNanoUsd,
        heldNanoUsd: 0n,
        availableNanoUsd: balanceNanoUsd,
      });
    }
  };

  it('refuses grants, shows every balance and reports no drift until all escrow is returned', async () => {
    await dieInTheMiddle();
    expect((await activeEpochs(resources.database)).size).toBe(0);
    for (const accountId of accountIds) {
      await expect(admit(accountId)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    await eachOwns(CREDIT);
    expect(await billing.reconcile.round(10_000)).toBeNull();
    expect(await billing.returnIdleEscrow.returnIdle(0)).toBe(0);
    await eachOwns(CREDIT);
  });

  it('is finished by two processes at once after a third died, without duplicate money', async () => {
    const before = await rebuilds();
    const epoch = await dieInTheMiddle();
    await Promise.all([billing.followEpoch.follow(), other.followEpoch.follow()]);
    expect([billing.followEpoch.isFollowing, other.followEpoch.isFollowing]).toEqual([true, true]);
    expect([...(await activeEpochs(resources.database)).values()]).toEqual(SHARDS.map(() => BigInt(epoch)));
    expect(await rebuilds()).toBe(before + 1);
    await eachOwns(CREDIT);
    for (const accountId of accountIds) {
      const { request, outcome } = await admit(accountId, other);
      expect(outcome).toBe('admitted');
      await resources.admissionStore.settle(settlementForAdmission(request, 7n));
    }
    await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);
    await eachOwns(CREDIT - 7n);
    for (const _round of [1, 2, 3]) {
      expect(await billing.reconcile.round(10_000)).toMatchObject({ driftNanoUsd: 0n, ledgerImbalanceNanoUsd: 0n });
    }
  });

  it('is left to the next process when this one stops', async () => {
    await billing.followEpoch.follow(AbortSignal.abort());
    expect(billing.followEpoch.isFollowing).toBe(false);
    await expect(admit(accountIds[0] as AccountId)).rejects.toMatchObject({ code: 'service_unavailable' });
    await other.followEpoch.follow();
    expect(other.followEpoch.isFollowing).toBe(true);
    expect((await admit(accountIds[0] as AccountId, other)).outcome).toBe('admitted');
  });
});
