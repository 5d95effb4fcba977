import type { Cap, UsageSettled } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeAccount } from '../accounts/change-account.js';
import { changeKey } from '../keys/change-key.js';
import { findKey } from '../keys/find-key.js';
import { findKeyBySha256 } from '../keys/find-key-by-sha256.js';
import { readSpendingOfRequest, reverseTransaction } from '../ledger/reverse-transaction.js';
import { changeMemberCaps } from '../people/change-member.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { activeEpoch } from '../test-support/active-epoch.js';
import { endOf, TaskFixture } from '../test-support/task-fixture.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { readCappedPeriods } from './read-capped-periods.js';

let test: TestDatabase;
let epoch = 0n;
let entry = 0;

beforeAll(async () => {
  test = await TestDatabase.open();
  await TaskFixture.open(test);
  epoch = (await activeEpoch(test.database)) ?? 0n;
});

afterAll(() => test.close());

const cap = (period: Cap['period'], measure: Cap['measure'], limit: number, hard = true): Cap => ({
  period,
  measure,
  limit: `${limit}`,
  hard,
});

const iso = async (statement: string): Promise<string | null> => {
  const [row] = await test.database.prisma.$queryRawUnsafe<{ at: Date | null }[]>(`SELECT ${statement} AS at`);
  return row?.at?.toISOString() ?? null;
};

async function cappedKey(caps: readonly Cap[] = []) {
  const accountId = await test.account(1_000_000n);
  const { id, sha256 } = await test.key(accountId);
  if (caps.length > 0) await changeKey(test.database, { accountId }, id, { caps });
  const use = async (costNanoUsd: bigint, more: Partial<UsageSettled> = {}) => {
    const now = Date.now();
    const event = sampleEvent(accountId, costNanoUsd, { keyId: id, admittedAtMs: now, settledAtMs: now, ...more });
    entry += 1;
    return recordSettlements(test.database, [{ streamId: `${entry}-1`, event }], epoch);
  };
  const periods = async () => (await readCappedPeriods(test.database, accountId)).get(id) ?? [];
  const alerts = () => test.database.prisma.accountEvent.findMany({ where: { accountId, type: 'cap.reached' } });
  return { accountId, id, sha256, use, periods, alerts };
}

describe('a calendar period', () => {
  it.each([
    ['day', 'America/New_York', '2026-03-08T12:00Z', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['day', 'America/New_York', '2026-11-01T12:00Z', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['day', 'Asia/Kolkata', '2026-01-01T18:29:59Z', '2025-12-31T18:30:00.000Z', '2026-01-01T18:30:00.000Z'],
    ['week', 'UTC', '2026-11-22T23:59:59Z', '2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['month', 'Europe/Berlin', '2026-03-31T22:30Z', '2026-03-31T22:00:00.000Z', '2026-04-30T22:00:00.000Z'],
    ['month', 'Pacific/Kiritimati', '2028-01-31T10:00Z', '2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
  ])('%s in %s around %s', async (period, zone, at, start, end) => {
    expect(await iso(`period_start('${period}', '${zone}', '${at}')`)).toBe(start);
    expect(await iso(`period_end('${period}', '${zone}', '${start}')`)).toBe(end);
    // The next period starts where this one ends, and its own end agrees.
    expect(await iso(`period_start('${period}', '${zone}', '${end}')`)).toBe(end);
  });

  it.each(['day', 'week', 'month'])(
    '%s: holds its moments and meets its neighbours, whatever the clocks do',
    async (period) => {
      // Clocks that change at midnight, at noon of UTC, by half an hour, or not at all; 13 and 14 hours ahead.
      const zones = [
        'UTC',
        'Europe/Berlin',
        'America/Havana',
        'Asia/Beirut',
        'Africa/Cairo',
        'America/Santiago',
        'Australia/Lord_Howe',
        'America/St_Johns',
        'Asia/Kathmandu',
        'Pacific/Apia',
        'Pacific/Kiritimati',
      ];
      for (const zone of zones) {
        const broken = await test.database.prisma.$queryRaw`
          SELECT at, starts, ends FROM generate_series('2025-01-01'::timestamptz, '2025-12-31', interval '53 minutes') AS at
            CROSS JOIN LATERAL (SELECT period_start(${period}::text, ${zone}, at) AS starts) AS started
            CROSS JOIN LATERAL (SELECT period_end(${period}::text, ${zone}, starts) AS ends) AS ended
          WHERE NOT (starts <= at AND at < ends AND period_start(${period}::text, ${zone}, ends) = ends
            AND period_start(${period}::text, ${zone}, ends - interval '1 millisecond') = starts) LIMIT 3`;
        expect([zone, broken]).toEqual([zone, []]);
      }
    },
  );

  it('of a life starts with the epoch and never ends', async () => {
    expect(await iso("period_start('life', 'Asia/Tokyo', now())")).toBe('1970-01-01T00:00:00.000Z');
    expect(await iso("period_end('life', 'Asia/Tokyo', to_timestamp(0))")).toBeNull();
  });
});

describe('a cap', () => {
  it('counts requests, tokens and nano-USD once each, in the period of the admission', async () => {
    const { use, periods } = await cappedKey([cap('day', 'usd', 900), cap('life', 'requests', 9)]);
    await use(300n, { units: { input_token: 5, output_token: 7, second: 9 } });
    const again = sampleEvent('acct', 1n);
    await use(20n, { admittedAtMs: Date.now() - 2 * 86_400_000, requestId: again.requestId });
    const [day, life] = await periods();
    expect(day).toMatchObject({ period: 'day', requests: '1', tokens: '12', cost: '300' });
    expect(life).toMatchObject({ period: 'life', requests: '2', tokens: '15', cost: '320', endsAtMs: null });
  });

  it('counts a redelivered event once', async () => {
    const { use, periods } = await cappedKey([cap('day', 'usd', 900)]);
    const { requestId } = sampleEvent('acct', 1n);
    await use(5n, { requestId });
    await use(5n, { requestId });
    expect(await periods()).toMatchObject([{ requests: '1', cost: '5' }]);
  });

  it('counts no cost of a charge that was given back, also when it is set again', async () => {
    const { accountId, id, use, periods } = await cappedKey([cap('day', 'usd', 900)]);
    const { requestId } = sampleEvent('acct', 1n);
    await use(300n, { requestId });
    await use(20n);
    const giveBack = () => reverseTransaction(test.database, accountId, `settlement:${requestId}`, 'a wrong charge');
    const outcomes = await Promise.all([1, 2, 3].map(giveBack));
    expect(outcomes.map((reversal) => reversal?.outcome).sort()).toEqual(['posted', 'repeated', 'repeated']);
    expect(await periods()).toMatchObject([{ requests: '2', cost: '20' }]);
    expect(await findKey(test.database, { accountId }, id)).toMatchObject({ spentNanoUsd: 20n });
    expect(await readSpendingOfRequest(test.database, requestId)).toMatchObject({
      spendingKeyId: id,
      spentNanoUsd: '20',
    });
    await changeKey(test.database, { accountId }, id, { caps: [cap('life', 'usd', 900)] });
    expect(await periods()).toMatchObject([{ period: 'life', requests: '2', cost: '20' }]);
  });

  it('that is set later counts what is booked in its period already', async () => {
    const { accountId, id, use, periods } = await cappedKey();
    await use(40n, { units: { output_token: 4 } });
    await use(7n, { admittedAtMs: 1_000, settledAtMs: 2_000 });
    expect(await periods()).toEqual([]);
    await changeKey(test.database, { accountId }, id, { caps: [cap('day', 'tokens', 9), cap('life', 'usd', 99)] });
    expect(await periods()).toMatchObject([
      { period: 'day', requests: '1', tokens: '4', cost: '40' },
      { period: 'life', requests: '2', cost: '47' },
    ]);
    await use(1n);
    expect((await periods())[1]).toMatchObject({ requests: '3', cost: '48' });
  });

  it('of the account counts all its keys, and another calendar counts anew', async () => {
    const { accountId, sha256, use } = await cappedKey();
    await changeAccount(test.database, accountId, { caps: [cap('day', 'requests', 2)] });
    await use(1n);
    await changeAccount(test.database, accountId, { timeZone: 'Pacific/Kiritimati' });
    await use(1n);
    const [period] = (await readCappedPeriods(test.database, accountId)).get(accountId) ?? [];
    expect(period).toMatchObject({ ownerId: accountId, period: 'day', caps: [{ measure: 'requests', limit: '2' }] });
    expect(new Date(period?.startsAtMs ?? 0).toISOString()).toMatch(/T10:00:00\.000Z$/);
    expect((await findKeyBySha256(test.database, sha256))?.cappedPeriods).toEqual([period]);
  });

  it('of a member counts all keys of the member, and no other key', async () => {
    const { accountId, id, sha256, use } = await cappedKey();
    const other = await cappedKey();
    const member = await test.member(accountId);
    await changeKey(test.database, { accountId }, id, { memberId: member });
    await use(7n);
    await changeMemberCaps(test.database, { accountId, memberId: member }, [cap('day', 'usd', 900)]);
    const second = await test.key(accountId);
    await changeKey(test.database, { accountId }, second.id, { memberId: member });
    await use(30n, { keyId: second.id });
    await other.use(500n);
    const counted = (await readCappedPeriods(test.database, accountId)).get(member);
    expect(counted).toMatchObject([{ ownerId: member, period: 'day', requests: '2', cost: '37' }]);
    expect((await findKeyBySha256(test.database, sha256))?.cappedPeriods).toEqual(counted);
    await use(863n);
    const alerts = await test.database.prisma.accountEvent.findMany({ where: { accountId, type: 'cap.reached' } });
    expect(alerts).toMatchObject([{ subject: member, data: { member_id: member, used: '0.0000009' } }]);
  });

  it('that is soft is not in the key record, and raises its event once in a period', async () => {
    const { id, sha256, use, alerts } = await cappedKey([cap('month', 'usd', 50, false)]);
    expect((await findKeyBySha256(test.database, sha256))?.cappedPeriods).toBeUndefined();
    await use(49n);
    expect(await alerts()).toEqual([]);
    await use(1n);
    await use(30n);
    const [event, ...more] = await alerts();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      subject: id,
      data: { key_id: id, period: 'month', measure: 'usd', hard: false, limit: '0.00000005', used: '0.00000005' },
    });
  });

  it('reports to Redis the counts of the counters that an event names', async () => {
    const { id, use, periods } = await cappedKey([cap('day', 'usd', 900)]);
    const [{ startsAtMs } = { startsAtMs: 0 }] = await periods();
    const name = `${id}:day:${startsAtMs}`;
    expect(await use(6n, { counters: [name] })).toMatchObject({
      capCounts: [{ counter: name, requests: '1', tokens: '3', cost: '6', version: expect.any(String) }],
    });
  });
});

it('a task counts its hold, and its cost in the end', async () => {
  const tasks = await TaskFixture.open(test);
  await changeKey(test.database, { accountId: tasks.accountId }, tasks.keyId, { caps: [cap('life', 'usd', 10_000)] });
  const counted = async () => (await readCappedPeriods(test.database, tasks.accountId)).get(tasks.keyId)?.[0];
  const before = BigInt((await counted())?.cost ?? 0);
  const task = await tasks.queued();
  await tasks.bookHold(task);
  const held = BigInt((await counted())?.cost ?? 0) - before;
  expect(held).toBeGreaterThan(300n);
  await tasks.store.finish(task, endOf('succeeded', 300n), { status: 'succeeded' });
  expect(BigInt((await counted())?.cost ?? 0) - before).toBe(300n);
});
