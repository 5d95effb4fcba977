import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { changeAccount } from '../accounts/change-account.js';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { grantEscrow } from '../escrow/grant-escrow.js';
import { eventsAfter } from '../events/events-after.js';
import { changeKey } from '../keys/change-key.js';
import { closeChildKey } from '../keys/child-keys.js';
import { rotateKey } from '../keys/rotate-key.js';
import { postCredit } from '../ledger/post-credit.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { makeChildKey } from '../test-support/make-child-key.js';
import { returnKeySpending } from '../test-support/return-key-spending.js';
import { endOf, TaskFixture } from '../test-support/task-fixture.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';

const CENT = 10_000_000n;
const DOLLAR = 100n * CENT;

describe('a budget alert', () => {
  let test: TestDatabase;
  let epoch: bigint;
  let accountId: string;
  let streamIds = 0;

  beforeAll(async () => {
    test = await TestDatabase.open();
    epoch = await nextEpoch(test.database);
    await activateEpoch(test.database, epoch);
  });

  beforeEach(async () => {
    accountId = await test.account(5n * DOLLAR);
  });

  afterAll(() => test.close());

  const usage = (amount: bigint, keyId = 'key_none', owner = accountId) => {
    streamIds += 1;
    return { streamId: `1-${streamIds}`, event: sampleEvent(owner, amount, { keyId }) };
  };
  const book = (...entries: ReturnType<typeof usage>[]) => recordSettlements(test.database, entries, epoch);
  const topUp = (amountNanoUsd: bigint, reference: string) =>
    postCredit(test.database, { reference, accountId, kind: 'top_up', amountNanoUsd, reason: 'test' });
  const grant = (missingNanoUsd: bigint) =>
    grantEscrow(test.database, { accountId, missingNanoUsd, blockLimitNanoUsd: 1n, blockDivisor: 20n });
  const alerts = async (owner = accountId) =>
    ((await eventsAfter(test.database, owner, { after: null, limit: 100 })) ?? []).map(({ type }) => type);

  it('is sent once when the balance falls below its threshold, and again after a rise', async () => {
    await book(usage(3n * DOLLAR));
    expect(await alerts()).toEqual([]);
    await book(usage(DOLLAR + 1n));
    await book(usage(1n));
    expect(await alerts()).toEqual(['balance.low']);
    const [event] = (await eventsAfter(test.database, accountId, { after: null, limit: 1 })) ?? [];
    expect(event).toMatchObject({
      subject: accountId,
      data: { balance_usd: '0.999999999', low_balance_usd: '1.00' },
      isTest: false,
    });
    await topUp(1n, `${accountId}-little`);
    await book(usage(1n));
    expect(await alerts()).toEqual(['balance.low']);
    await topUp(DOLLAR, `${accountId}-enough`);
    await book(usage(DOLLAR));
    expect(await alerts()).toEqual(['balance.low', 'balance.low']);
  });

  it('is not repeated by repeated or concurrent batches', async () => {
    const entries = Array.from({ length: 20 }, () => usage(CENT * 21n));
    await Promise.all(Array.from({ length: 6 }, () => book(...entries)));
    await book(...entries);
    expect(await alerts()).toEqual(['balance.low']);
  });

  it('is sent to each account of a batch, and to no other', async () => {
    const others = await Promise.all([test.account(2n * DOLLAR), test.account(2n * DOLLAR), test.account(9n * DOLLAR)]);
    await book(...others.map((owner) => usage(2n * DOLLAR - CENT, undefined, owner)));
    expect(await Promise.all(others.map(alerts))).toEqual([['balance.low'], ['balance.low'], []]);
  });

  it('ignores transfers to escrow and holds, which the customer still owns', async () => {
    await grant(5n * DOLLAR);
    const tasks = await TaskFixture.open(test, 2n * DOLLAR);
    const task = await tasks.queued({ holdNanoUsd: DOLLAR.toString() });
    await tasks.bookHold(task);
    expect(await alerts()).toEqual([]);
    expect(await alerts(tasks.accountId)).toEqual(['video.task.queued']);
    await tasks.store.finish(task, endOf('succeeded', DOLLAR), { status: 'succeeded' });
    await book(usage(1n, undefined, tasks.accountId));
    expect(await alerts(tasks.accountId)).toEqual(['video.task.queued', 'video.task.succeeded', 'balance.low']);
  });

  it('is sent when the balance reaches zero or less', async () => {
    await book(usage(5n * DOLLAR));
    await book(usage(CENT));
    expect(await alerts()).toEqual(['balance.low', 'balance.exhausted']);
  });

  it('is sent for the first refused grant, until the next credit', async () => {
    for (const missing of [6n, 7n, 8n]) expect(await grant(missing * DOLLAR)).toMatchObject({ outcome: 'refused' });
    await book(usage(CENT));
    await grant(6n * DOLLAR);
    expect(await alerts()).toEqual(['balance.exhausted']);
    await topUp(CENT, `${accountId}-more`);
    await grant(6n * DOLLAR);
    expect(await alerts()).toEqual(['balance.exhausted', 'balance.exhausted']);
  });

  it('is not sent for a refused grant while another one is undelivered', async () => {
    await grant(5n * DOLLAR);
    expect(await grant(1n)).toMatchObject({ outcome: 'refused' });
    expect(await alerts()).toEqual([]);
  });

  it('follows the account’s threshold: at once if the balance is below, never without one', async () => {
    await changeAccount(test.database, accountId, { lowBalanceNanoUsd: 6n * DOLLAR });
    expect(await alerts()).toEqual(['balance.low']);
    await changeAccount(test.database, accountId, { lowBalanceNanoUsd: 7n * DOLLAR });
    expect(await alerts()).toEqual(['balance.low']);
    await changeAccount(test.database, accountId, { lowBalanceNanoUsd: 5n * DOLLAR });
    await book(usage(1n));
    expect(await alerts()).toEqual(['balance.low', 'balance.low']);
    await changeAccount(test.database, accountId, { lowBalanceNanoUsd: null });
    await book(usage(5n * DOLLAR - CENT));
    expect(await alerts()).toEqual(['balance.low', 'balance.low']);
  });

  it('is sent at 80 % and at 100 % of a spend cap, once each until the cap rises', async () => {
    const { id } = await test.key(accountId, DOLLAR);
    await book(usage(CENT * 79n, id));
    expect(await alerts()).toEqual([]);
    await book(usage(CENT, id));
    await book(usage(CENT, id));
    expect(await alerts()).toEqual(['key.spend_cap.warning']);
    const [event] = (await eventsAfter(test.database, accountId, { after: null, limit: 1 })) ?? [];
    expect(event).toMatchObject({
      subject: id,
      data: { key_id: id, name: 'a key', spent_usd: '0.80', spend_cap_usd: '1.00' },
    });
    await book(usage(CENT * 19n, id));
    await book(usage(CENT, id));
    expect(await alerts()).toEqual(['key.spend_cap.warning', 'key.spend_cap.reached']);
    await changeKey(test.database, { accountId }, id, { spendCapNanoUsd: 2n * DOLLAR });
    await book(usage(CENT * 60n, id));
    expect((await alerts()).slice(2)).toEqual(['key.spend_cap.warning']);
    await changeKey(test.database, { accountId }, id, { spendCapNanoUsd: null });
    await changeKey(test.database, { accountId }, id, { spendCapNanoUsd: DOLLAR });
    expect((await alerts()).slice(3)).toEqual(['key.spend_cap.warning', 'key.spend_cap.reached']);
  });

  it('is sent again after a key got spending back', async () => {
    const { id } = await test.key(accountId, DOLLAR);
    await book(usage(CENT * 80n, id));
    await returnKeySpending(test.database, id, CENT);
    await book(usage(CENT, id));
    expect(await alerts()).toEqual(['key.spend_cap.warning', 'key.spend_cap.warning']);
  });

  it('is sent once for a key and its replacement, with the newer name', async () => {
    const { id } = await test.key(accountId, DOLLAR);
    await book(usage(CENT * 80n, id));
    const next = { id: `${id}-2`, accountId, sha256: `sha-${id}-2`, prefix: 'p', isTest: false };
    await rotateKey(test.database, id, next, new Date(Date.now() + 60_000));
    await book(usage(CENT, id), usage(CENT, next.id));
    expect(await alerts()).toEqual(['key.spend_cap.warning']);
    await changeKey(test.database, { accountId }, next.id, { spendCapNanoUsd: 82n * CENT });
    const last = (await eventsAfter(test.database, accountId, { after: null, limit: 100 }))?.at(-1);
    expect(last).toMatchObject({ type: 'key.spend_cap.reached', subject: next.id });
  });

  it('is by the cap of the key itself, not by the budgets of its children that have ended', async () => {
    const parent = await test.key(accountId, DOLLAR);
    const child = await makeChildKey(test.database, { accountId, parentId: parent.id, budgetNanoUsd: 10n * CENT });
    await book(usage(CENT, child.id));
    await test.database.prisma.$executeRaw`UPDATE api_key SET expires_at = now() WHERE id = ${child.id}`;
    expect(await closeChildKey(test.database, child.id)).toMatchObject({ spentNanoUsd: String(CENT) });
    await book(usage(70n * CENT, parent.id));
    expect(await alerts()).toEqual(['key.child.ended']);
    await book(usage(10n * CENT, parent.id));
    const [, warning, ...others] = (await eventsAfter(test.database, accountId, { after: null, limit: 100 })) ?? [];
    expect(others).toEqual([]);
    expect(warning).toMatchObject({
      type: 'key.spend_cap.warning',
      subject: parent.id,
      data: { key_id: parent.id, spent_usd: '0.81', spend_cap_usd: '1.00' },
    });
  });

  it.each([
    [0n, '0.00'],
    [-1n, '-0.000000001'],
    [100_000_000n, '0.10'],
    [1_234_567_890n, '1.23456789'],
    [-5_000_000_000n, '-5.00'],
    [1_000_000_000_000_000n, '1000000.00'],
  ])('formats %s nano-USD as %s', async (amount, usd) => {
    expect(await test.database.prisma.$queryRaw`SELECT usd_of(${amount}::bigint) AS usd`).toEqual([{ usd }]);
  });
});
