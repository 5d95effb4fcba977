import { grantEscrow, undeliveredGrants } from '@gateway/postgres';
import { admitWithBlocks } from '@gateway/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BillingResources } from '../resources.js';
import { openStages } from '../test-support/open-stages.js';
import { checkedPosition, sampleAdmission, TestBilling } from '../test-support/test-billing.js';

const USD = 1_000_000_000n;

describe('escrow for the edge', () => {
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

  /** The grant of a process that died before the delivery, a minute ago. */
  async function abandoned(accountId: string, missingNanoUsd: bigint) {
    await grantEscrow(resources.database, {
      accountId,
      missingNanoUsd,
      blockLimitNanoUsd: 5n * USD,
      blockDivisor: 20n,
    });
    await resources.database.prisma.$executeRaw`UPDATE escrow_grant SET created_at = now() - interval '1 minute'`;
  }

  it('is spendable before the response', async () => {
    const accountId = await test.account(resources, 10n * USD);
    expect(await billing.grantEscrow.grant(accountId, 1n)).toEqual({ granted: true, amountNanoUsd: USD / 2n });
    expect(await resources.admissionStore.readAccount(accountId)).toMatchObject({
      spendableNanoUsd: USD / 2n,
      reserveNanoUsd: 10n * USD - USD / 2n,
    });
    expect(await undeliveredGrants(resources.database, { accountId })).toEqual([]);
  });

  it('refuses with the available amount', async () => {
    const accountId = await test.account(resources, 5n);
    expect(await billing.grantEscrow.grant(accountId, 6n)).toEqual({ granted: false, availableNanoUsd: 5n });
    await expect(billing.grantEscrow.grant('acct_unknown', 6n)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('never grants more than the balance to 100 concurrent requests at two processes', async () => {
    const accountId = await test.account(resources, 10n * USD);
    const processes = [billing, openStages(await test.resources())];
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => processes[index % 2]?.grantEscrow.grant(accountId, USD)),
    );
    expect(responses.filter((response) => response?.granted)).toHaveLength(10);
    expect(await resources.admissionStore.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 10n * USD });
    expect(await checkedPosition(resources.database, accountId)).toMatchObject({
      customerNanoUsd: 0n,
      escrowNanoUsd: 10n * USD,
    });
  });

  it('first delivers the grant of a dead process, once', async () => {
    const accountId = await test.account(resources, USD);
    await abandoned(accountId, USD / 2n);
    expect(await billing.grantEscrow.grant(accountId, 1n)).toMatchObject({ granted: true });
    expect(await resources.admissionStore.readAccount(accountId)).toMatchObject({
      spendableNanoUsd: USD / 2n + USD / 20n,
    });
    await billing.deliverGrants.redeliverAbandoned(0);
    expect(await resources.admissionStore.readAccount(accountId)).toMatchObject({
      spendableNanoUsd: USD / 2n + USD / 20n,
    });
  });

  it('delivers a grant that pays for a request when the balance is otherwise empty', async () => {
    const accountId = await test.account(resources, 9n);
    await abandoned(accountId, 9n);
    const admit = (holdNanoUsd: bigint) => {
      const request = sampleAdmission(accountId, holdNanoUsd);
      return admitWithBlocks(
        () => resources.admissionStore.admit(request),
        async (missing) => (await billing.grantEscrow.grant(accountId, missing)).granted,
      );
    };
    expect(await admit(9n)).toMatchObject({ outcome: 'admitted' });
    expect(await admit(1n)).toMatchObject({ outcome: 'funds', missingNanoUsd: 1n });
    expect(await billing.grantEscrow.grant(accountId, 1n)).toEqual({ granted: false, availableNanoUsd: 0n });
  });

  it('delivers abandoned grants without a new request', async () => {
    const accountId = await test.account(resources, USD);
    await abandoned(accountId, 5n);
    await billing.deliverGrants.redeliverAbandoned(3_600_000);
    expect(await resources.admissionStore.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 0n });
    await billing.deliverGrants.redeliverAbandoned(0);
    expect(await resources.admissionStore.readAccount(accountId)).toMatchObject({ spendableNanoUsd: USD / 20n });
  });

  it('grants nothing in another epoch than the ledger’s, and loses no money', async () => {
    const accountId = await test.account(resources, 10n * USD);
    await billing.grantEscrow.grant(accountId, USD);
    await test.loseRedis(resources);
    await expect(billing.grantEscrow.grant(accountId, USD)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect((await resources.admissionStore.admit(sampleAdmission(accountId, 1n))).outcome).toBe('rebuilding');
    await billing.followEpoch.follow();
    expect(await checkedPosition(resources.database, accountId)).toMatchObject({
      customerNanoUsd: 10n * USD,
      escrowNanoUsd: 0n,
    });
    expect(await resources.admissionStore.readAccount(accountId)).toMatchObject({ spendableNanoUsd: 0n });
    expect(await billing.grantEscrow.grant(accountId, USD)).toEqual({ granted: true, amountNanoUsd: USD });
  });
});
