import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { changeAccount } from '../accounts/change-account.js';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { grantEscrow } from '../escrow/grant-escrow.js';
import { eventsAfter } from '../events/events-after.js';
import { changeKey } from '../keys/change-key.js';
import { rotateKey } from '../keys/rotate-key.js';
import { postCredit } from '../ledger/post-credit.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { returnKeySpending } from '../test-support/return-key-spending.js';
import { endOf, TasksUnderTest } from '../test-support/tasks-under-test.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';

const CENT = 10_000_000n;
const DOLLAR = 100n * CENT;

describe('an account hears of its money', () => {
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
  const ask = (missingNanoUsd: bigint) =>
    grantEscrow(test.database, { accountId, missingNanoUsd, blockLimitNanoUsd: 1n, blockDivisor: 20n });
  const told = async (owner = accountId) =>
    ((await eventsAfter(test.database, owner, { after: null, limit: 100 })) ?? []).map(({ type }) => type);

  it('once, when the balance falls below its threshold, and again after it was above', async () => {
    await book(usage(3n * DOLLAR));
    expect(await told()).toEqual([]);
    await book(usage(DOLLAR + 1n));
    await book(usage(1n));
    expect(await told()).toEqual(['balance.low']);
    const [event] = (await eventsAfter(test.database, accountId, { after: null, limit: 1 })) ?? [];
    expect(event).toMatchObject({
      subject: accountId,
      data: { balance_usd: '0.999999999', low_balance_usd: '1.00' },
      isTest: false,
    });
    await topUp(1n, `${accountId}-little`);
    await book(usage(1n));
    expect(await told()).toEqual(['balance.low']);
    await topUp(DOLLAR, `${accountId}-enough`);
    await book(usage(DOLLAR));
    expect(await told()).toEqual(['balance.low', 'balance.low']);
  });

  it('not again when a batch is booked again, nor by many who book at once', async () => {
    const entries = Array.from({ length: 20 }, () => usage(CENT * 21n));
    await Promise.all(Array.from({ length: 6 }, () => book(...entries)));
    await book(...entries);
    expect(await told()).toEqual(['balance.low']);
  });

  it('of each account in a batch, and of nobody else', async () => {
    const others = await Promise.all([test.account(2n * DOLLAR), test.account(2n * DOLLAR), test.account(9n * DOLLAR)]);
    await book(...others.map((owner) => usage(2n * DOLLAR - CENT, undefined, owner)));
    expect(await Promise.all(others.map(told))).toEqual([['balance.low'], ['balance.low'], []]);
  });

  it('not of what is in escrow or held for tasks: that is still theirs', async () => {
    await ask(5n * DOLLAR);
    const tasks = await TasksUnderTest.open(test, 2n * DOLLAR);
    const task = await tasks.queued({ holdNanoUsd: DOLLAR.toString() });
    await tasks.bookHold(task);
    expect(await told()).toEqual([]);
    expect(await told(tasks.accountId)).toEqual(['video.task.queued']);
    await tasks.store.finish(task, endOf('succeeded', DOLLAR), { status: 'succeeded' });
    await book(usage(1n, undefined, tasks.accountId));
    expect(await told(tasks.accountId)).toEqual(['video.task.queued', 'video.task.succeeded', 'balance.low']);
  });

  it('when nothing is left, also if it is less than nothing', async () => {
    await book(usage(5n * DOLLAR));
    await book(usage(CENT));
    expect(await told()).toEqual(['balance.low', 'balance.exhausted']);
  });

  it('of the first refusal for want of money, until there is more', async () => {
    for (const missing of [6n, 7n, 8n]) expect(await ask(missing * DOLLAR)).toMatchObject({ outcome: 'refused' });
    await book(usage(CENT));
    await ask(6n * DOLLAR);
    expect(await told()).toEqual(['balance.exhausted']);
    await topUp(CENT, `${accountId}-more`);
    await ask(6n * DOLLAR);
    expect(await told()).toEqual(['balance.exhausted', 'balance.exhausted']);
  });

  it('not of a refusal while a block is on its way', async () => {
    await ask(5n * DOLLAR);
    expect(await ask(1n)).toMatchObject({ outcome: 'refused' });
    expect(await told()).toEqual([]);
  });

  it('at the threshold it wants, at once if that is above what it has, and not at all without one', async () => {
    await changeAccount(test.database, accountId, { lowBalanceNanoUsd: 6n * DOLLAR });
    expect(await told()).toEqual(['balance.low']);
    await changeAccount(test.database, accountId, { lowBalanceNanoUsd: 7n * DOLLAR });
    expect(await told()).toEqual(['balance.low']);
    await changeAccount(test.database, accountId, { lowBalanceNanoUsd: 5n * DOLLAR });
    await book(usage(1n));
    expect(await told()).toEqual(['balance.low', 'balance.low']);
    await changeAccount(test.database, accountId, { lowBalanceNanoUsd: null });
    await book(usage(5n * DOLLAR - CENT));
    expect(await told()).toEqual(['balance.low', 'balance.low']);
  });

  it('when a key has spent four fifths of its cap, and all of it, once each until the cap is raised', async () => {
    const { id } = await test.key(accountId, DOLLAR);
    await book(usage(CENT * 79n, id));
    expect(await told()).toEqual([]);
    await book(usage(CENT, id));
    await book(usage(CENT, id));
    expect(await told()).toEqual(['key.spend_cap.warning']);
    const [event] = (await eventsAfter(test.database, accountId, { after: null, limit: 1 })) ?? [];
    expect(event).toMatchObject({
      subject: id,
      data: { key_id: id, name: 'a key', spent_usd: '0.80', spend_cap_usd: '1.00' },
    });
    await book(usage(CENT * 19n, id));
    await book(usage(CENT, id));
    expect(await told()).toEqual(['key.spend_cap.warning', 'key.spend_cap.reached']);
    await changeKey(test.database, accountId, id, { spendCapNanoUsd: 2n * DOLLAR });
    await book(usage(CENT * 60n, id));
    expect((await told()).slice(2)).toEqual(['key.spend_cap.warning']);
    await changeKey(test.database, accountId, id, { spendCapNanoUsd: null });
    await changeKey(test.database, accountId, id, { spendCapNanoUsd: DOLLAR });
    expect((await told()).slice(3)).toEqual(['key.spend_cap.warning', 'key.spend_cap.reached']);
  });

  it('again of a key that got something back', async () => {
    const { id } = await test.key(accountId, DOLLAR);
    await book(usage(CENT * 80n, id));
    await returnKeySpending(test.database, id, CENT);
    await book(usage(CENT, id));
    expect(await told()).toEqual(['key.spend_cap.warning', 'key.spend_cap.warning']);
  });

  it('once of a key and the one that replaced it, by the name of the newer', async () => {
    const { id } = await test.key(accountId, DOLLAR);
    await book(usage(CENT * 80n, id));
    const next = { id: `${id}-2`, accountId, sha256: `sha-${id}-2`, prefix: 'p', isTest: false };
    await rotateKey(test.database, id, next, new Date(Date.now() + 60_000));
    await book(usage(CENT, id), usage(CENT, next.id));
    expect(await told()).toEqual(['key.spend_cap.warning']);
    await changeKey(test.database, accountId, next.id, { spendCapNanoUsd: 82n * CENT });
    const last = (await eventsAfter(test.database, accountId, { after: null, limit: 100 }))?.at(-1);
    expect(last).toMatchObject({ type: 'key.spend_cap.reached', subject: next.id });
  });

  it.each([
    [0n, '0.00'],
    [-1n, '-0.000000001'],
    [100_000_000n, '0.10'],
    [1_234_567_890n, '1.23456789'],
    [-5_000_000_000n, '-5.00'],
    [1_000_000_000_000_000n, '1000000.00'],
  ])('in the form in which amounts are shown everywhere: %s as %s', async (amount, usd) => {
    expect(await test.database.prisma.$queryRaw`SELECT usd_of(${amount}::bigint) AS usd`).toEqual([{ usd }]);
  });
});
