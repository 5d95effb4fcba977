import { grantEscrow, readLedgerBalances } from '@gateway/postgres';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BillingResources } from './resources.js';
import { openStages } from './test-support/open-stages.js';
import { checkedPosition, sampleAdmission, settlementForAdmission, TestBilling } from './test-support/test-billing.js';

const { signal } = new AbortController();
/** After the expiry of every hold. */
const LONG_AFTER_MS = 4_100_000_000_000;

let test: TestBilling;
let resources: BillingResources;

beforeAll(async () => {
  test = await TestBilling.open();
  resources = await test.resources();
});

afterAll(() => test.close());

it('moves the money of a former release to the shards, with running requests, and loses or doubles nothing', async () => {
  const { database, former, admissionStore, keys, redis } = resources;
  await test.changeWithoutTriggers(`INSERT INTO redis_epoch (activations, activated_at) VALUES (1, now())`);
  await former.store.beginEpoch('1');
  const accountId = await test.account(resources, 1_000n);
  const granted = await grantEscrow(database, {
    accountId,
    missingNanoUsd: 300n,
    blockLimitNanoUsd: 1n,
    blockDivisor: 1n,
  });
  expect(granted).toEqual({ outcome: 'granted', amountNanoUsd: 300n });
  const grant = { accountId, sequence: 1n, epoch: '1', amountNanoUsd: 300n, reserveNanoUsd: 700n, reserveVersion: 2n };
  expect(await former.store.grant(grant)).toBe('applied');
  const [booked, running, abandoned] = [1, 2, 3].map(() => sampleAdmission(accountId, 50n)) as [
    ReturnType<typeof sampleAdmission>,
    ReturnType<typeof sampleAdmission>,
    ReturnType<typeof sampleAdmission>,
  ];
  for (const request of [booked, running, abandoned]) {
    expect((await former.store.admit(request)).outcome).toBe('admitted');
  }
  await former.store.settle(settlementForAdmission(booked, 7n));

  // The new release starts: the former one admits nothing any more, and the customer has everything back.
  const billing = openStages(resources);
  await billing.followEpoch.follow();
  expect(await redis.exists(keys.former.epoch)).toBe(0);
  expect(await former.store.admit(sampleAdmission(accountId, 1n))).toEqual({ outcome: 'rebuilding' });
  expect(await checkedPosition(database, accountId)).toMatchObject({ customerNanoUsd: 1_000n, escrowNanoUsd: 0n });
  const held = sampleAdmission(accountId, 400n);
  expect(await billing.grantEscrow.grant(accountId, 400n)).toMatchObject({ granted: true });
  expect((await admissionStore.admit(held)).outcome).toBe('admitted');

  // A former worker ends its request, and a settlement comes twice: from it and from a new process.
  await former.store.settle(settlementForAdmission(running, 11n));
  await admissionStore.settle(settlementForAdmission(running, 11n));
  await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);
  expect(await billing.formerSlot.book(Date.now())).toBe(2);
  expect(await billing.formerSlot.book(LONG_AFTER_MS)).toBe(1);
  expect(await billing.formerSlot.book(LONG_AFTER_MS)).toBe(0);
  await admissionStore.settle(settlementForAdmission(held, 13n));
  await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);

  const { customerNanoUsd = 0n, escrowNanoUsd = 0n } = (await readLedgerBalances(database, accountId)) ?? {};
  expect(customerNanoUsd + escrowNanoUsd).toBe(1_000n - 7n - 11n - 13n);
  await checkedPosition(database, accountId);
  for (let round = 0; round < 3; round += 1) {
    expect(await billing.reconcile.round(Date.now())).toMatchObject({
      driftNanoUsd: 0n,
      unsettledEvents: 0,
      parkedEvents: 0,
      ledgerImbalanceNanoUsd: 0n,
    });
  }
});
