import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { endOf, TaskFixture } from '../test-support/task-fixture.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { marginReport } from './margin-report.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const FROM = Date.parse('2026-11-01');
const period = { from: new Date(FROM), to: new Date(FROM + 3 * DAY_MS) };

let test: TestDatabase;
let epoch: bigint;
let accounts: readonly string[];

const pick = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;

beforeAll(async () => {
  test = await TestDatabase.open();
  epoch = await nextEpoch(test.database);
  await activateEpoch(test.database, epoch);
  accounts = [await test.account(1_000_000n), await test.account(1_000_000n)];
});

afterAll(() => test.close());

const someEvent = () =>
  sampleEvent(pick(accounts), BigInt(randomInt(100)), {
    model: pick(['cl-opus-4-7', 'vg-4']),
    keyId: pick(['key_a', 'key_b']),
    outcome: pick(['completed', 'aborted']),
    units: pick([{}, { input_token: 2 }, { input_token: 1, output_token: 5 }]),
    settledAtMs: FROM + randomInt(3 * DAY_MS),
    ...(randomInt(4) > 0 && { vendorCostNanoUsd: `${randomInt(100)}` }),
  });

/** The sums of the receipts themselves, in the order of the roll-up. */
const SUMS = `SELECT account_id, date_bin('15 minutes', settled_at, 'epoch') AS starts_at, key_id, model, endpoint, outcome,
    count(*) AS requests, sum(cost_nano_usd)::bigint AS cost, coalesce(sum(vendor_cost_nano_usd), 0)::bigint AS vendor_cost,
    count(*) FILTER (WHERE vendor_cost_nano_usd IS NULL) AS uncosted_requests,
    coalesce(sum(cost_nano_usd) FILTER (WHERE vendor_cost_nano_usd IS NULL), 0)::bigint AS uncosted,
    coalesce(sum((units->>'input_token')::bigint), 0)::bigint AS input
  FROM settlement GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6`;
const ROLLED_UP = `SELECT account_id, starts_at, key_id, model, endpoint, outcome, requests, cost_nano_usd AS cost,
    vendor_cost_nano_usd AS vendor_cost, uncosted_requests, uncosted_nano_usd AS uncosted,
    coalesce((units->>'input_token')::bigint, 0) AS input
  FROM usage_rollup ORDER BY 1, 2, 3, 4, 5, 6`;

describe('the sums of receipts', () => {
  it('equal the receipts after repeated and concurrent batches, and after the end of tasks', async () => {
    const events = Array.from({ length: 300 }, someEvent);
    const batches = Array.from({ length: 12 }, () =>
      Array.from({ length: 50 }, () => pick(events)).map((event) => ({ streamId: `entry-${event.requestId}`, event })),
    );
    await Promise.all(batches.map((batch) => recordSettlements(test.database, batch, epoch)));
    const tasks = await TaskFixture.open(test);
    for (const end of [endOf('succeeded', 500n), endOf('failed'), endOf('expired', 0n, { vendorCostNanoUsd: null })]) {
      const task = await tasks.queued();
      await tasks.bookHold(task);
      await tasks.store.finish(task, end, { cost: '0' });
    }
    const summed = await test.database.prisma.$queryRawUnsafe<object[]>(SUMS);
    expect(summed.length).toBeGreaterThan(100);
    expect(await test.database.prisma.$queryRawUnsafe(ROLLED_UP)).toEqual(summed);
  });

  it('cannot be changed by the services', async () => {
    const services = await TestDatabase.openFor('services');
    await expect(services.database.prisma.$executeRawUnsafe('UPDATE usage_rollup SET requests = 0')).rejects.toThrow(
      'permission denied',
    );
    await services.close();
  });

  it.each(['day', 'model', 'account', 'endpoint'] as const)('are complete in the margin by %s', async (groupBy) => {
    const [whole] = await test.database.prisma.$queryRawUnsafe<{ requests: bigint; charged: bigint; cost: bigint }[]>(
      `SELECT count(*) AS requests, sum(cost_nano_usd)::bigint AS charged, sum(vendor_cost_nano_usd)::bigint AS cost
       FROM settlement WHERE settled_at >= '2026-11-01Z' AND settled_at < '2026-11-04Z'`,
    );
    const lines = await marginReport(test.database, { ...period, groupBy });
    const sum = (of: (line: (typeof lines)[number]) => bigint) => lines.reduce((total, line) => total + of(line), 0n);
    expect(sum(({ requests }) => requests)).toBe(whole?.requests);
    expect(sum(({ chargedNanoUsd }) => chargedNanoUsd)).toBe(whole?.charged);
    expect(sum(({ vendorCostNanoUsd }) => vendorCostNanoUsd)).toBe(whole?.cost);
  });

  it('are filtered by account and model', async () => {
    const [accountId = ''] = accounts;
    const lines = await marginReport(test.database, { ...period, groupBy: 'account', accountId, model: 'vg-4' });
    expect(lines).toMatchObject([{ group: accountId, label: `${accountId}@example.com` }]);
    expect(lines[0]?.requests).toBe(
      BigInt(await test.database.prisma.settlement.count({ where: { accountId, model: 'vg-4' } })),
    );
  });
});
