import { randomUUID } from 'node:crypto';
import type { AccountId } from '@gateway/contracts';
import { parseUsd } from '@gateway/money';
import { recordedCharges, statementTotals } from '@gateway/postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleAdmission, settlementForAdmission } from '../../../billing/src/test-support/test-billing.js';
import { AccountInterface, until } from '../test-support/account-interface.js';

let accounts: AccountInterface;
let owner: Awaited<ReturnType<AccountInterface['register']>>;
const NOW = new Date();
const THIS_MONTH = NOW.toISOString().slice(0, 7);
const LAST_MONTH = new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - 1, 15)).toISOString().slice(0, 7);

const get = (path: string, token = owner.token) => accounts.call('GET', `/account/statements${path}`, undefined, token);

async function credit(amount_usd: string, kind = 'top_up'): Promise<void> {
  const body = { amount_usd, kind, reason: 'a "reason"', reference: randomUUID() };
  await accounts.call('POST', `/admin/accounts/${owner.id}/credits`, body, accounts.adminToken);
}

async function charge(model: string, costNanoUsd: bigint): Promise<void> {
  const admission = sampleAdmission(owner.id as AccountId, 9_000n);
  await accounts.resources.admissionStore.admit(admission);
  await accounts.resources.admissionStore.settle({ ...settlementForAdmission(admission, costNanoUsd), model });
  const path = `/account/requests/${admission.requestId}`;
  await until(async () => (await accounts.call('GET', path, undefined, owner.token)).status === 200);
}

const withoutTriggers = (statement: string) => accounts.test.changeWithoutTriggers(statement);

/** The ledger itself refuses it. */
const bookedAt = (time: string) =>
  withoutTriggers(`UPDATE ledger_transaction SET created_at = '${time}'
    WHERE account_id = '${owner.id}' AND created_at > now() - interval '1 minute'`);

beforeAll(async () => {
  accounts = await AccountInterface.open();
  owner = await accounts.register();
  await credit('5');
  const escrow = { accountId: owner.id, missingNanoUsd: '1000000' };
  await accounts.call('POST', '/internal/escrow', escrow, accounts.internalToken);
  await charge('gm-2', 1_001n);
  await bookedAt(`${LAST_MONTH}-15T12:00:00Z`);
  await credit('-1.5', 'adjustment');
  await charge('gm-2', 2_000n);
  await charge('cl-1', 4_003n);
  await bookedAt(`${THIS_MONTH}-01T00:00:00Z`);
});

afterAll(() => accounts.close());

describe('the statement of a month', () => {
  it('opens with what the month before left, and adds up to the ledger', async () => {
    const { body: before } = await get(`/${LAST_MONTH}`);
    expect(before).toMatchObject({
      is_final: true,
      opening_balance_usd: '0.00',
      top_ups_usd: '5.00',
      charges_usd: '-0.000001001',
      closing_balance_usd: '4.999998999',
      ledger: { difference_usd: '0.00', statement: 'Equal to the ledger: the difference is 0.000000000 USD.' },
    });
    const { body: now } = await get(`/${THIS_MONTH}`);
    expect(now).toMatchObject({
      is_final: false,
      opening_balance_usd: '4.999998999',
      adjustments_usd: '-1.50',
      charges_usd: '-0.000006003',
      closing_balance_usd: '3.499992996',
      models: [
        { model: 'cl-1', requests: 1, cost_usd: '0.000004003' },
        { model: 'gm-2', requests: 1, cost_usd: '0.000002' },
      ],
      ledger: { difference_usd: '0.00' },
    });
    const { body: balance } = await accounts.call('GET', '/account/balance', undefined, owner.token);
    expect(balance.balance_usd).toBe(now.closing_balance_usd);
  });

  it('finds receipts by the time of their record, and by their charges if that is another one', async () => {
    const joined = (await get(`/${THIS_MONTH}`)).body;
    await withoutTriggers(`UPDATE settlement SET recorded_at = created_at, settled_at = created_at FROM ledger_transaction
      WHERE reference = 'settlement:' || request_id AND settlement.account_id = '${owner.id}'`);
    for (const month of [LAST_MONTH, THIS_MONTH]) {
      const { from, to } = (await get(`/${month}`)).body;
      const statement = { accountId: owner.id, month, timeZone: 'UTC' };
      const totals = await statementTotals(accounts.resources.database, statement);
      const found = await recordedCharges(accounts.resources.database, { ...totals, accountId: owner.id });
      expect(found.reduce((sum, { requests }) => sum + requests, 0n)).toBe(totals.chargeCount);
      expect([from, to > from]).toEqual([totals.from.toISOString(), true]);
    }
    expect((await get(`/${THIS_MONTH}`)).body).toMatchObject({ models: joined.models, ledger: joined.ledger });
  });

  it('has every line as CSV, with the balance after it', async () => {
    const { body, headers } = await get(`/${THIS_MONTH}?format=csv`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="statement-${THIS_MONTH}.csv"`);
    const rows: string[][] = (body as string)
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line: string) => line.split(','));
    expect(rows.map(([, kind]) => kind)).toEqual([
      'opening_balance',
      'adjustment',
      'settlement',
      'settlement',
      'closing_balance',
      'ledger_difference',
    ]);
    const amounts = rows.slice(1, 4).map(([, , amount = '']) => parseUsd(amount));
    expect(amounts.reduce<bigint>((sum, amount) => sum + amount, parseUsd(rows[0]?.[3] ?? ''))).toBe(
      parseUsd(rows[4]?.[3] ?? ''),
    );
    expect(rows[5]?.[2]).toBe('0.00');
  });

  it('is a PDF of its own account', async () => {
    const { status, headers, body } = await get(`/${LAST_MONTH}?format=pdf`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(body).toMatch(/^%PDF-1\.\d\s[\s\S]*%%EOF\s*$/);
  });

  it('is listed with what it changed, and another account has none', async () => {
    expect((await get('')).body.data).toEqual([
      { month: THIS_MONTH, lines: 3, change_usd: '-1.500006003' },
      { month: LAST_MONTH, lines: 2, change_usd: '4.999998999' },
    ]);
    const stranger = await accounts.register();
    expect((await get('', stranger.token)).body.data).toEqual([]);
    expect((await get(`/${LAST_MONTH}`, stranger.token)).body).toMatchObject({
      closing_balance_usd: '0.00',
      models: [],
    });
  });

  it('belongs to the month in the time zone of the account', async () => {
    await accounts.call('PATCH', '/account/settings', { time_zone: 'America/New_York' }, owner.token);
    expect((await get(`/${LAST_MONTH}`)).body).toMatchObject({ closing_balance_usd: '3.499992996' });
    expect((await get('')).body.data).toEqual([{ month: LAST_MONTH, lines: 5, change_usd: '3.499992996' }]);
    await accounts.call('PATCH', '/account/settings', { time_zone: 'UTC' }, owner.token);
  });

  it.each([
    ['/2026-13', 'month'],
    ['/2026-1', 'month'],
    ['/2099-01', 'month'],
    [`/${THIS_MONTH}?format=xml`, 'format'],
  ])('refuses %s by the name of the field', async (path, param) => {
    const { status, body } = await get(path);
    expect([status, body.error.param]).toEqual([400, param]);
  });

  it('says so if it is not equal to the ledger', async () => {
    await withoutTriggers(`UPDATE ledger_balance SET balance_nano_usd = balance_nano_usd + 7 WHERE ledger_account_id =
      (SELECT id FROM ledger_account WHERE account_id = '${owner.id}' AND kind = 'customer')`);
    expect((await get(`/${LAST_MONTH}`)).body.ledger.difference_usd).toBe('0.000000007');
  });
});
