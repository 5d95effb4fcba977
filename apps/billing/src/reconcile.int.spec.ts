import { findSettlement } from '@gateway/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BillingDoors } from './billing-doors.js';
import { stages } from './stages-under-test.js';
import { sampleRequest, settlementOf, soundPosition, TestBilling } from './test-support/test-billing.js';

const { signal } = new AbortController();

describe('reconciliation', () => {
  let test: TestBilling;
  let doors: BillingDoors;
  let billing: ReturnType<typeof stages>;

  beforeAll(async () => {
    test = await TestBilling.open();
    doors = await test.doors();
  });

  beforeEach(async () => {
    await test.loseRedis(doors);
    billing = stages(doors);
    await billing.followEpoch.follow();
  });

  afterAll(() => test.close());

  const rounds = async (count: number) => {
    for (let round = 1; round < count; round += 1) await billing.reconcile.round(10_000);
    return billing.reconcile.round(10_000);
  };

  async function settled() {
    const accountId = await test.account(doors, 100n);
    await billing.grantEscrow.grant(accountId, 80n);
    const [ended, running] = [sampleRequest(accountId, 10n), sampleRequest(accountId, 20n)];
    for (const request of [ended, running]) await doors.admissionStore.admit(request);
    await doors.admissionStore.settle(settlementOf(ended, 4n));
    return accountId;
  }

  it('finds nothing while all is well, with requests running and events on their way', async () => {
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

  it('says how long ago it has compared, which a round without a result does not make younger, nor who looks', async () => {
    await rounds(1);
    expect(billing.reconcile.ageMs(12_000)).toBe(2_000);
    expect(await billing.reconcile.look(12_000)).toMatchObject({ checkedAt: new Date(12_000) });
    expect(billing.reconcile.ageMs(12_000)).toBe(2_000);
    await doors.redis.del(doors.keys.epoch);
    expect(await billing.reconcile.round(15_000)).toBeNull();
    expect(billing.reconcile.ageMs(15_000)).toBe(5_000);
  });

  it.each([
    ['too little', '-7', 7n],
    ['too much', '5', -5n],
  ])('reports that Redis has %s, then makes the escrow what it has', async (_words, change, driftNanoUsd) => {
    const accountId = await settled();
    await doors.redis.hincrby(`${test.prefix}{0}:account:${accountId}`, 'spendable', change);
    expect(await rounds(2)).toMatchObject({ driftNanoUsd: 0n });
    const found = await rounds(1);
    expect(found?.drifts).toEqual([{ accountId, driftNanoUsd, rounds: 3 }]);
    expect(found?.driftNanoUsd).toBe(driftNanoUsd < 0n ? -driftNanoUsd : driftNanoUsd);
    expect(await soundPosition(doors.database, accountId)).toMatchObject({ customerNanoUsd: 20n, escrowNanoUsd: 80n });
    await rounds(3);
    expect(await soundPosition(doors.database, accountId)).toMatchObject({
      customerNanoUsd: 20n + driftNanoUsd,
      escrowNanoUsd: 80n - driftNanoUsd,
    });
    expect(await rounds(1)).toMatchObject({ driftNanoUsd: 0n, drifts: [] });
    const metrics = await billing.registry.metrics();
    expect(metrics).toMatch(/^drift_nano_usd\{service="billing"\} 0$/m);
    expect(metrics).toMatch(/^gateway_drift_repairs_total\{service="billing"\} 1$/m);
  });

  it('repairs once, although two processes see it', async () => {
    const accountId = await settled();
    const other = stages(await test.doors());
    await doors.redis.hincrby(`${test.prefix}{0}:account:${accountId}`, 'spendable', -7);
    for (let round = 0; round < 6; round += 1) {
      await Promise.all([billing.reconcile.round(10_000), other.reconcile.round(10_000)]);
    }
    expect(await soundPosition(doors.database, accountId)).toMatchObject({ customerNanoUsd: 27n, escrowNanoUsd: 73n });
  });

  it('ends holds whose time is over, once, and says so on the receipt', async () => {
    const accountId = await test.account(doors, 100n);
    await billing.grantEscrow.grant(accountId, 80n);
    const orphan = sampleRequest(accountId, 30n, 5_000);
    await doors.admissionStore.admit(orphan);
    expect(await billing.reconcile.round(10_000)).toMatchObject({ orphanHolds: 1 });
    expect(await billing.sweep.sweep(4_999)).toBe(0);
    const other = stages(await test.doors());
    const ended = await Promise.all([billing.sweep.sweep(6_000), other.sweep.sweep(6_000)]);
    expect(ended[0] + ended[1]).toBe(1);
    expect(await doors.admissionStore.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 80n, heldNanoUsd: 0n });
    await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);
    expect(await findSettlement(doors.database, accountId, orphan.requestId)).toMatchObject({
      outcome: 'expired',
      holdNanoUsd: 30n,
      costNanoUsd: 0n,
    });
    expect(await billing.reconcile.round(10_000)).toMatchObject({ orphanHolds: 0 });
  });

  it('shows a customer one balance, whatever is where', async () => {
    const accountId = await test.account(doors, 100n);
    const shown = () => billing.readBalance.read(accountId);
    expect(await shown()).toEqual({ balanceNanoUsd: 100n, heldNanoUsd: 0n, availableNanoUsd: 100n });
    await billing.grantEscrow.grant(accountId, 40n);
    const request = sampleRequest(accountId, 30n);
    await doors.admissionStore.admit(request);
    expect(await shown()).toEqual({ balanceNanoUsd: 100n, heldNanoUsd: 30n, availableNanoUsd: 70n });
    await doors.admissionStore.settle(settlementOf(request, 25n));
    expect(await shown()).toEqual({ balanceNanoUsd: 75n, heldNanoUsd: 0n, availableNanoUsd: 75n });
    await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);
    expect(await shown()).toEqual({ balanceNanoUsd: 75n, heldNanoUsd: 0n, availableNanoUsd: 75n });
    await test.loseRedis(doors);
    expect(await shown()).toEqual({ balanceNanoUsd: 75n, heldNanoUsd: 0n, availableNanoUsd: 75n });
  });
});
