import type { AccountId, KeyId } from '@gateway/contracts';
import { formatUsd, parseUsd } from '@gateway/money';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleAdmission, settlementForAdmission } from '../../../billing/src/test-support/test-billing.js';
import { AccountInterface, until } from '../test-support/account-interface.js';

const HOUR_MS = 3_600_000;
const REQUESTS = 24;
const MODELS = ['gm-2.5-flash', 'cl-haiku-4-5', 'gp-5.4'];
const ENDPOINTS = ['chat.completions', 'messages'];
const DIMENSIONS = ['key', 'member', 'model', 'endpoint', 'outcome'];

let accounts: AccountInterface;
let owner: Awaited<ReturnType<AccountInterface['register']>>;
let total = 0n;

const get = async (path: string, token = owner.token) => {
  const { status, body } = await accounts.call('GET', path, undefined, token);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const sumOf = (rows: readonly Record<string, string>[], field = 'cost_usd') =>
  formatUsd(rows.reduce((sum, row) => sum + parseUsd(row[field] ?? ''), 0n));

/** Some of a day that is 23 or 25 hours long somewhere, each with a cost of its own. */
async function charge(number: number, keyId: string): Promise<void> {
  const admission = { ...sampleAdmission(owner.id as AccountId, 90_000n), keyId: keyId as KeyId };
  const cost = BigInt(1_001 + number * 977);
  await accounts.resources.admissionStore.admit(admission);
  await accounts.resources.admissionStore.settle({
    ...settlementForAdmission(admission, cost),
    model: MODELS[number % MODELS.length] ?? '',
    endpoint: ENDPOINTS[number % ENDPOINTS.length] as 'messages',
    outcome: number % 5 === 0 ? 'aborted' : 'completed',
    settledAtMs: Date.now() - number * 5 * HOUR_MS,
  });
  total += cost;
}

beforeAll(async () => {
  accounts = await AccountInterface.open();
  owner = await accounts.register();
  await accounts.call('PATCH', '/account/settings', { time_zone: 'Australia/Lord_Howe' }, owner.token);
  const credit = { amount_usd: '5', reason: 'test', reference: owner.id };
  await accounts.call('POST', `/admin/accounts/${owner.id}/credits`, credit, accounts.adminToken);
  const escrow = { accountId: owner.id, missingNanoUsd: '9000000' };
  await accounts.call('POST', '/internal/escrow', escrow, accounts.internalToken);
  const keyOf = async (name: string) => (await accounts.call('POST', '/account/keys', { name }, owner.token)).body.id;
  const keys = [await keyOf('one'), await keyOf('two')];
  for (let number = 0; number < REQUESTS; number += 1) await charge(number, keys[number % 2]);
  await until(async () => (await get('/account/requests?count=true&limit=1')).count === REQUESTS);
});

afterAll(() => accounts.close());

describe('every report sums to the ledger, to the nano-dollar', () => {
  const pairs = DIMENSIONS.flatMap((one, index) => DIMENSIONS.slice(index + 1).map((other) => `${one},${other}`));
  const periods = ['hour', 'day', 'month'].flatMap((period) => [period, `${period},model`, `${period},key,endpoint`]);

  it('the ledger itself: settlements, and the balance', async () => {
    const ledger = await get('/account/ledger?kind=settlement&limit=200');
    expect(ledger.data).toHaveLength(REQUESTS);
    expect(sumOf(ledger.data, 'amount_usd')).toBe(formatUsd(-total));
    expect((await get('/account/balance')).balance_usd).toBe(formatUsd(parseUsd('5') - total));
  });

  it.each([...DIMENSIONS, ...pairs, ...periods])('usage by %s', async (groups) => {
    const { data } = await get(`/account/usage?group_by=${groups}`);
    expect(sumOf(data)).toBe(formatUsd(total));
    expect(data.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0)).toBe(REQUESTS);
  });

  it('the list of requests, in both orders, and as CSV', async () => {
    for (const order of ['newest', 'oldest']) {
      expect(sumOf((await get(`/account/requests?order=${order}&limit=200`)).data)).toBe(formatUsd(total));
    }
    const [head = '', ...lines] = (await get('/account/requests?format=csv')).trim().split('\r\n');
    const column = head.split(',').indexOf('cost_usd');
    const rows = lines.map((line: string) => ({ cost_usd: line.split(',')[column] ?? '' }));
    expect([rows.length, sumOf(rows)]).toEqual([REQUESTS, formatUsd(total)]);
  });

  it('usage on another model: what it did cost', async () => {
    const { data } = await get('/account/usage/repriced?model=gm-2.5-flash');
    expect(sumOf(data)).toBe(formatUsd(total));
  });

  it.each(['day', 'model', 'vendor', 'account', 'endpoint'])('margin by %s', async (group) => {
    const { data } = await get(`/admin/margin?group_by=${group}&account_id=${owner.id}`, accounts.adminToken);
    expect(sumOf(data, 'charged_usd')).toBe(formatUsd(total));
  });
});
