import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { recordSettlements } from '../settlements/record-settlements.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { keepUsageDays } from './usage-days.js';
import { type UsageGroup, usageStatement } from './usage-statement.js';

const HOUR_MS = 3_600_000;
const DAYS = 9;
/** A day there has 23.5 or 24.5 hours when its clocks change, and its offset is not a whole hour. */
const ZONE = 'Australia/Lord_Howe';
const GROUPS: readonly (readonly UsageGroup[])[] = [
  ['day'],
  ['month', 'key'],
  ['model', 'outcome'],
  ['day', 'member', 'endpoint'],
];

let test: TestDatabase;
let epoch: bigint;
let accountId: string;
let other: string;

const pick = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;
const sql = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);
const someEvent = (ageMs: number) =>
  sampleEvent(pick([accountId, accountId, other]), BigInt(randomInt(1_000)), {
    model: pick(['cl-opus-4-7', 'vg-4']),
    keyId: pick(['key_a', 'key_b']),
    outcome: pick(['completed', 'aborted']),
    units: pick([{}, { input_token: 2 }, { input_token: 1, output_token: 5 }]),
    settledAtMs: Date.now() - ageMs,
  });
const record = (events: readonly ReturnType<typeof someEvent>[]) =>
  recordSettlements(
    test.database,
    events.map((event) => ({ streamId: `entry-${event.requestId}`, event })),
    epoch,
  );

/** From a quarter of an hour inside the oldest day, up to one after now. */
function period(): { from: Date; to: Date } {
  const quarter = (ms: number) => new Date(Math.ceil(ms / (HOUR_MS / 4)) * (HOUR_MS / 4));
  return { from: quarter(Date.now() - DAYS * 24 * HOUR_MS), to: quarter(Date.now() + HOUR_MS) };
}
const usage = (groups: readonly UsageGroup[], timeZone = ZONE, { from, to } = period()) =>
  usageStatement(test.database, accountId, { from, to, groups, timeZone });
/** A period that ends inside a quarter is summed from the receipts. */
const ofReceipts = (groups: readonly UsageGroup[], timeZone = ZONE) => {
  const { from, to } = period();
  return usage(groups, timeZone, { from, to: new Date(to.getTime() + 1) });
};
async function keepAll(): Promise<number> {
  let days = 0;
  for (let kept = -1; kept !== 0; days += kept) kept = await keepUsageDays(test.database, 1);
  return days;
}
const wrongSums = async () => (await checkLedger(test.database)).wrongUsageSums;

beforeAll(async () => {
  test = await TestDatabase.open();
  epoch = await nextEpoch(test.database);
  await activateEpoch(test.database, epoch);
  accountId = await test.account(10_000_000n);
  other = await test.account(10_000_000n);
  await sql(`UPDATE account SET time_zone = '${ZONE}' WHERE id = '${accountId}'`);
  await record(Array.from({ length: 400 }, () => someEvent(HOUR_MS / 2 + randomInt((DAYS - 1) * 24 * HOUR_MS))));
});

afterAll(() => test.close());

describe('kept days of usage', () => {
  it('sum to the receipts, in the time zone of the account and in others', async () => {
    expect(await keepAll()).toBeGreaterThan(DAYS);
    expect(await keepUsageDays(test.database, 1)).toBe(0);
    for (const groups of GROUPS) {
      for (const zone of [ZONE, 'UTC', 'America/New_York']) {
        expect(await usage(groups, zone)).toEqual(await ofReceipts(groups, zone));
      }
    }
    expect(await wrongSums()).toBe(0n);
  });

  it('are left out from the moment of a late receipt, until they are kept again', async () => {
    await record(Array.from({ length: 30 }, () => someEvent(30 * HOUR_MS + randomInt(100 * HOUR_MS))));
    for (const groups of GROUPS) expect(await usage(groups)).toEqual(await ofReceipts(groups));
    expect(await wrongSums()).toBe(0n);
    expect(await keepAll()).toBeGreaterThan(0);
    for (const groups of GROUPS) expect(await usage(groups)).toEqual(await ofReceipts(groups));
  });

  it('serve the report; the check of the ledger finds one that is wrong', async () => {
    const [{ day } = { day: new Date() }] = await test.database.prisma.$queryRawUnsafe<{ day: Date }[]>(
      `SELECT starts_at AS day FROM usage_day WHERE account_id = '${accountId}' AND requests > 0 ORDER BY 1 DESC LIMIT 1`,
    );
    const ofDay = `account_id = '${accountId}' AND starts_at = '${day.toISOString()}'`;
    const right = await usage(['month']);
    await sql(`UPDATE usage_day SET lines = jsonb_set(lines, '{0,cost_nano_usd}', '900000000') WHERE ${ofDay}`);
    expect(await usage(['month'])).not.toEqual(right);
    expect(await wrongSums()).toBe(1n);
    await sql(`UPDATE usage_day SET lines = jsonb_set(lines, '{0,units}', '{"image": 3}') WHERE ${ofDay}`);
    expect(await wrongSums()).toBe(1n);
    await sql(`DELETE FROM usage_day WHERE ${ofDay}`);
    expect(await usage(['month'])).toEqual(right);
    expect(await wrongSums()).toBe(0n);
  });

  it('are of large accounts only, and the services cannot change them', async () => {
    await sql('DELETE FROM usage_day');
    expect(await keepUsageDays(test.database, 1_000_000)).toBe(0);
    const services = await TestDatabase.openFor('services');
    await expect(services.database.prisma.$executeRawUnsafe('UPDATE usage_day SET requests = 0')).rejects.toThrow(
      'permission denied',
    );
    expect(await keepUsageDays(services.database, 1)).toBe(0);
    await services.close();
  });
});
