import { findSettlement } from '@gateway/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BillingResources } from '../resources.js';
import { openStages } from '../test-support/open-stages.js';
import { checkedPosition, sampleAdmission, settlementForAdmission, TestBilling } from '../test-support/test-billing.js';

const { signal } = new AbortController();

describe('reconciliation', () => {
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

  const rounds = async (count: number) => {
    for (let round = 1; round < count; round += 1) await billing.reconcile.round(10_000);
    return billing.reconcile.round(10_000);
  };

  async function settled() {
    const accountId = await test.account(resources, 100n);
    await billing.grantEscrow.grant(accountId, 80n);
    const [ended, running] = [sampleAdmission(accountId, 10n), sampleAdmission(accountId, 20n)];
    for (const request of [ended, running]) await resources.admissionStore.admit(request);
    await resources.admissionStore.settle(settlementForAdmission(ended, 4n));
    return accountId;
  }

  it('finds no drift with running requests and events in transit', async () => {
    await settled();
    expect(await rounds(3)).toMatchObject({ unsettledEvents: 1, driftNanoUsd: 0n, orphanHolds: 0 });
    await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);
    expect(await rounds(3)).toMatchObject({
      orphanHolds: 0,
      unsettledEvents: 0,
      parkedEvents: 0,
      driftNanoUsd: 0n,
      ledgerImbalanceNanoUsd: 0n,
    });
  });

  it('keeps its age after a round without a result and after a manual inspection', async () => {
    await rounds(1);
    expect(billing.reconcile.ageMs(12_000)).toBe(2_000);
    expect(await billing.reconcile.inspect(12_000)).toMatchObject({ checkedAt: new Date(12_000) });
    expect(billing.reconcile.ageMs(12_000)).toBe(2_000);
    await test.loseEpochs(resources);
    expect(await billing.reconcile.round(15_000)).toBeNull();
    expect(billing.reconcile.ageMs(15_000)).toBe(5_000);
  });

  it.each([
    ['too little', '-7', 7n],
    ['too much', '5', -5n],
  ])('reports that Redis has %s, then repairs the escrow', async (_words, change, driftNanoUsd) => {
    const accountId = await settled();
    await resources.redis.hincrby(resources.keys.of(accountId).account(accountId), 'spendable', change);
    expect(await rounds(2)).toMatchObject({ driftNanoUsd: 0n });
    const found = await rounds(1);
    expect(found?.drifts).toEqual([{ accountId, driftNanoUsd, rounds: 3 }]);
    expect(found?.driftNanoUsd).toBe(driftNanoUsd < 0n ? -driftNanoUsd : driftNanoUsd);
    expect(await checkedPosition(resources.database, accountId)).toMatchObject({
      customerNanoUsd: 20n,
      escrowNanoUsd: 80n,
    });
    await rounds(3);
    expect(await checkedPosition(resources.database, accountId)).toMatchObject({
      customerNanoUsd: 20n + driftNanoUsd,
      escrowNanoUsd: 80n - driftNanoUsd,
    });
    expect(await rounds(1)).toMatchObject({ driftNanoUsd: 0n, drifts: [] });
    const metrics = await billing.registry.metrics();
    expect(metrics).toMatch(/^drift_nano_usd\{service="billing"\} 0$/m);
    expect(metrics).toMatch(/^gateway_drift_repairs_total\{service="billing"\} 1$/m);
  });

  it('repairs once with two processes', async () => {
    const accountId = await settled();
    const other = openStages(await test.resources());
    await resources.redis.hincrby(resources.keys.of(accountId).account(accountId), 'spendable', -7);
    for (let round = 0; round < 6; round += 1) {
      await Promise.all([billing.reconcile.round(10_000), other.reconcile.round(10_000)]);
    }
    expect(await checkedPosition(resources.database, accountId)).toMatchObject({
      customerNanoUsd: 27n,
      escrowNanoUsd: 73n,
    });
  });

  it('releases expired holds once, and records it on the receipt', async () => {
    const accountId = await test.account(resources, 100n);
    await billing.grantEscrow.grant(accountId, 80n);
    const orphan = sampleAdmission(accountId, 30n, 5_000);
    await resources.admissionStore.admit(orphan);
    expect(await billing.reconcile.round(Date.now() + 20_000)).toMatchObject({ orphanHolds: 1 });
    expect(await billing.sweep.sweep(await resources.admissionStore.now())).toBe(0);
    const other = openStages(await test.resources());
    const nowMs = (await resources.admissionStore.now()) + 60_000;
    const ended = await Promise.all([billing.sweep.sweep(nowMs), other.sweep.sweep(nowMs)]);
    expect(ended[0] + ended[1]).toBe(1);
    expect(await resources.admissionStore.readAccount(accountId)).toMatchObject({
      spendableNanoUsd: 80n,
      heldNanoUsd: 0n,
    });
    await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);
    expect(await findSettlement(resources.database, accountId, orphan.requestId)).toMatchObject({
      outcome: 'expired',
      holdNanoUsd: 30n,
      costNanoUsd: 0n,
    });
    expect(await billing.reconcile.round(10_000)).toMatchObject({ orphanHolds: 0 });
  });

  it('shows a customer one balance, wherever the money is', async () => {
    const accountId = await test.account(resources, 100n);
    const shown = () => billing.balanceReader.read(accountId);
    expect(await shown()).toEqual({ balanceNanoUsd: 100n, heldNanoUsd: 0n, availableNanoUsd: 100n });
    await billing.grantEscrow.grant(accountId, 40n);
    const request = sampleAdmission(accountId, 30n);
    await resources.admissionStore.admit(request);
    expect(await shown()).toEqual({ balanceNanoUsd: 100n, heldNanoUsd: 30n, availableNanoUsd: 70n });
    await resources.admissionStore.settle(settlementForAdmission(request, 25n));
    expect(await shown()).toEqual({ balanceNanoUsd: 75n, heldNanoUsd: 0n, availableNanoUsd: 75n });
    await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);
    expect(await shown()).toEqual({ balanceNanoUsd: 75n, heldNanoUsd: 0n, availableNanoUsd: 75n });
    await test.loseRedis(resources);
    expect(await shown()).toEqual({ balanceNanoUsd: 75n, heldNanoUsd: 0n, availableNanoUsd: 75n });
  });
});
