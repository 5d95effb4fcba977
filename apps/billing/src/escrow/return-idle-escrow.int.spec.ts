import type { AccountId } from '@gateway/contracts';
import {
  closeEscrowReturn,
  eventsAfter,
  grantEscrow,
  listLedger,
  mirrorEscrow,
  type OpenReturn,
  openEscrowReturns,
  openReturns,
} from '@gateway/postgres';
import { admitWithBlocks } from '@gateway/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BillingResources } from '../resources.js';
import { openStages } from '../test-support/open-stages.js';
import {
  AT_ONCE_MS,
  checkedPosition,
  sampleAdmission,
  settlementForAdmission,
  TestBilling,
} from '../test-support/test-billing.js';

const { signal } = new AbortController();

describe('idle escrow', () => {
  let test: TestBilling;
  let resources: BillingResources;
  let billing: ReturnType<typeof openStages>;
  let other: ReturnType<typeof openStages>;

  beforeAll(async () => {
    test = await TestBilling.open();
    resources = await test.resources();
    other = openStages(await test.resources());
  });

  beforeEach(async () => {
    await test.loseRedis(resources);
    billing = openStages(resources);
    await billing.followEpoch.follow();
  });

  afterAll(() => test.close());

  const position = (accountId: string) => checkedPosition(resources.database, accountId);
  const inRedis = (accountId: string) => resources.admissionStore.readAccount(accountId);
  const shown = (accountId: string) => billing.balanceReader.read(accountId);

  async function admit(accountId: AccountId, holdNanoUsd: bigint, process = billing) {
    const request = sampleAdmission(accountId, holdNanoUsd);
    const attempt = () =>
      admitWithBlocks(
        () => resources.admissionStore.admit(request),
        async (missing) => (await process.grantEscrow.grant(accountId, missing)).granted,
      );
    // Null: other requests took every block. The customer retries.
    for (;;) {
      const outcome = await attempt();
      if (outcome !== null) return { request, outcome: outcome.outcome };
    }
  }

  async function open(accountId: string): Promise<OpenReturn> {
    const opened = await openEscrowReturns(resources.database, { idleMs: AT_ONCE_MS, limit: 500 });
    const mine = opened.find((one) => one.accountId === accountId);
    if (mine === undefined) throw new Error('nothing was opened');
    return mine;
  }

  /** An account with its whole balance in escrow. */
  async function handedOver(amountNanoUsd: bigint): Promise<AccountId> {
    const accountId = await test.account(resources, amountNanoUsd);
    await billing.grantEscrow.grant(accountId, amountNanoUsd);
    return accountId;
  }

  const noDrift = async () => {
    for (let round = 0; round < 3; round += 1) {
      expect(await billing.reconcile.round(10_000)).toMatchObject({ driftNanoUsd: 0n });
    }
  };

  it('returns after the idle time and not before, and the next request is admitted', async () => {
    const accountId = await handedOver(10n);
    expect(await billing.returnIdleEscrow.returnIdle(900_000)).toBe(0);
    expect(await position(accountId)).toMatchObject({ customerNanoUsd: 0n, escrowNanoUsd: 10n });
    expect(await billing.returnIdleEscrow.returnIdle(AT_ONCE_MS)).toBe(1);
    expect(await position(accountId)).toMatchObject({ customerNanoUsd: 10n, escrowNanoUsd: 0n, openReturn: null });
    expect(await inRedis(accountId)).toMatchObject({ spendableNanoUsd: 0n, reserveNanoUsd: 10n });
    expect(await billing.reconcile.round(10_000)).toMatchObject({ driftNanoUsd: 0n, escrowNanoUsd: 0n });
    expect((await admit(accountId, 10n)).outcome).toBe('admitted');
    const metrics = await billing.registry.metrics();
    expect(metrics).toMatch(/^gateway_escrow_returns_total\{outcome="returned",service="billing"\} 1$/m);
    expect(metrics).toMatch(/^gateway_escrow_returned_nano_usd_total\{service="billing"\} 10$/m);
    expect(metrics).toMatch(/^gateway_escrow_nano_usd\{service="billing"\} 0$/m);
  });

  it('returns without a change for its customer: the same balance, no ledger line, no alert', async () => {
    const accountId = await test.account(resources, 5_000_000_000n);
    await admit(accountId, 1n).then(({ request }) =>
      resources.admissionStore.settle(settlementForAdmission(request, 1n)),
    );
    await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);
    const [balance, lines] = [
      await shown(accountId),
      await listLedger(resources.database, accountId, { afterId: null, limit: 9 }),
    ];
    await billing.returnIdleEscrow.returnIdle(AT_ONCE_MS);
    expect(await position(accountId)).toMatchObject({ escrowNanoUsd: 0n });
    expect(await shown(accountId)).toEqual(balance);
    expect(await listLedger(resources.database, accountId, { afterId: null, limit: 9 })).toEqual(lines);
    const alerts = await resources.database.prisma.budgetAlert.findMany({ where: { accountId } });
    expect(alerts).toEqual([]);
  });

  it('stays while a request is running or unrecorded, until the next idle time', async () => {
    const accountId = await handedOver(10n);
    const { request } = await admit(accountId, 4n);
    expect(await billing.returnIdleEscrow.returnIdle(AT_ONCE_MS)).toBe(1);
    await resources.admissionStore.settle(settlementForAdmission(request, 3n));
    expect(await billing.returnIdleEscrow.returnIdle(AT_ONCE_MS)).toBe(1);
    expect(await inRedis(accountId)).toMatchObject({ spendableNanoUsd: 7n, unsettledNanoUsd: 3n });
    await billing.consumeUsage.consume({ blockMs: 1, staleAfterMs: 3_600_000 }, signal);
    expect(await billing.returnIdleEscrow.returnIdle(60_000)).toBe(0);
    await billing.returnIdleEscrow.returnIdle(AT_ONCE_MS);
    expect(await position(accountId)).toMatchObject({ customerNanoUsd: 7n, escrowNanoUsd: 0n });
  });

  it.each([
    ['opened it', false],
    ['took it out of Redis', true],
  ])(
    'is finished by another process if the one that %s dies, without a visible difference',
    async (_words, isTaken) => {
      const accountId = await handedOver(10n);
      const balance = await shown(accountId);
      const opened = await open(accountId);
      if (isTaken) expect(await resources.admissionStore.takeBack(opened)).toBe(10n);
      expect(await shown(accountId)).toEqual(balance);
      await noDrift();
      await Promise.all([
        billing.returnIdleEscrow.finishAbandoned(AT_ONCE_MS),
        other.returnIdleEscrow.finishAbandoned(AT_ONCE_MS),
      ]);
      expect(await position(accountId)).toMatchObject({ customerNanoUsd: 10n, escrowNanoUsd: 0n });
      expect(await shown(accountId)).toEqual(balance);
      await noDrift();
      // The first process was only slow.
      expect(await resources.admissionStore.takeBack(opened)).toBe(10n);
      expect(await closeEscrowReturn(resources.database, opened, 10n)).toBeNull();
      await billing.grantEscrow.grant(accountId, 10n);
      expect(await resources.admissionStore.takeBack(opened)).toBe(10n);
      expect(await inRedis(accountId)).toMatchObject({ spendableNanoUsd: 10n });
      await noDrift();
    },
  );

  it.each([
    ['opened', false],
    ['taken out of Redis', true],
  ])('pays for a request that comes after it was %s, without a refusal', async (_words, isTaken) => {
    const accountId = await handedOver(10n);
    const opened = await open(accountId);
    if (isTaken) await resources.admissionStore.takeBack(opened);
    expect((await admit(accountId, 10n)).outcome).toBe('admitted');
    const events = () => eventsAfter(resources.database, accountId, { after: null, limit: 10 });
    expect(await events()).toEqual([]);
    expect((await admit(accountId, 1n, other)).outcome).toBe('funds');
    expect(await events()).toMatchObject([{ type: 'balance.exhausted' }]);
  });

  it('causes no refusal while a return may contain the missing amount, also by the previous release', async () => {
    const accountId = await handedOver(10n);
    await resources.admissionStore.takeBack(await open(accountId));
    const request = { accountId, missingNanoUsd: 10n, blockLimitNanoUsd: 5n, blockDivisor: 20n };
    expect(await grantEscrow(resources.database, request)).toEqual({ outcome: 'returning' });
    const rows = await resources.database.prisma
      .$queryRaw`SELECT outcome FROM grant_escrow(${accountId}, 10::bigint, 5::bigint, 20::bigint)`;
    expect(rows).toEqual([{ outcome: 'no_epoch' }]);
  });

  it('has no open return after Redis begins a new epoch', async () => {
    const [taken, opened] = [await handedOver(10n), await handedOver(20n)];
    const returns = await openEscrowReturns(resources.database, { idleMs: AT_ONCE_MS, limit: 500 });
    const ofTaken = returns.find(({ accountId }) => accountId === taken) as OpenReturn;
    await resources.admissionStore.takeBack(ofTaken);
    await test.loseRedis(resources);
    expect(await billing.returnIdleEscrow.finish(taken)).toBe(false);
    await expect(billing.grantEscrow.grant(taken, 1n)).rejects.toMatchObject({ code: 'service_unavailable' });
    await billing.followEpoch.follow();
    expect(await closeEscrowReturn(resources.database, ofTaken, 10n)).toBeNull();
    expect(await position(taken)).toMatchObject({ customerNanoUsd: 10n, escrowNanoUsd: 0n, openReturn: null });
    expect(await position(opened)).toMatchObject({ customerNanoUsd: 20n, escrowNanoUsd: 0n, openReturn: null });
    await billing.grantEscrow.grant(taken, 10n);
    await billing.returnIdleEscrow.returnIdle(AT_ONCE_MS);
    expect(await position(taken)).toMatchObject({ customerNanoUsd: 10n, escrowNanoUsd: 0n });
    await noDrift();
  });

  it('is repaired when its return was abandoned, and not before', async () => {
    const accountId = await handedOver(10n);
    const opened = await open(accountId);
    await resources.admissionStore.takeBack(opened);
    // The previous release knows nothing of returns.
    const seen = { accountId, escrowNanoUsd: 10n, heldByRedisNanoUsd: 0n, epoch: opened.epoch };
    expect(await mirrorEscrow(resources.database, seen)).toBe(false);
    await resources.database.prisma.$executeRaw`
      UPDATE escrow_return SET opened_at = now() - interval '2 minutes' WHERE account_id = ${accountId}`;
    expect(await mirrorEscrow(resources.database, seen)).toBe(true);
    expect(await openReturns(resources.database, { accountId })).toEqual([]);
    expect(await closeEscrowReturn(resources.database, opened, 10n)).toBeNull();
    expect(await position(accountId)).toMatchObject({ customerNanoUsd: 10n, escrowNanoUsd: 0n });
  });

  describe('while requests race for it', () => {
    /** Both processes return escrow until the work is done. */
    async function whileReturning(work: Promise<unknown>): Promise<void> {
      let isDone = false;
      const returning = [billing, other].map(async ({ returnIdleEscrow }) => {
        while (!isDone) await returnIdleEscrow.returnIdle(AT_ONCE_MS);
      });
      await work.finally(() => {
        isDone = true;
      });
      await Promise.all(returning);
    }

    it('never refuses an affordable request', async () => {
      const accountId = await handedOver(10n);
      const wasReturnedTwice = async () => (await inRedis(accountId)).returnSequence > 1n;
      const client = async (process: typeof billing) => {
        // A slow machine needs more rounds until returns meet requests.
        for (let round = 0; round < 15 || !(await wasReturnedTwice()); round += 1) {
          const { request, outcome } = await admit(accountId, 2n, process);
          expect(outcome).toBe('admitted');
          await resources.admissionStore.settle(settlementForAdmission(request, 0n));
        }
      };
      await whileReturning(Promise.all([billing, other, billing, other, billing].map(client)));
      expect((await inRedis(accountId)).returnSequence).toBeGreaterThan(1n);
      await billing.returnIdleEscrow.returnIdle(AT_ONCE_MS);
      expect(await position(accountId)).toMatchObject({ customerNanoUsd: 10n, escrowNanoUsd: 0n });
      await noDrift();
    });

    it('admits exactly as many requests as the balance allows', async () => {
      const accountId = await handedOver(10n);
      const admissions = Promise.all(
        Array.from({ length: 30 }, (_, index) => admit(accountId, 1n, index % 2 === 0 ? billing : other)),
      );
      await whileReturning(admissions);
      const outcomes = (await admissions).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(10);
      expect(outcomes.filter((outcome) => outcome === 'funds')).toHaveLength(20);
      await noDrift();
    });
  });
});
