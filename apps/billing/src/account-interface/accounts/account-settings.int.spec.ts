import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AccountInterface } from '../../test-support/account-interface.js';

let accounts: AccountInterface;

beforeAll(async () => {
  accounts = await AccountInterface.open();
});

afterAll(() => accounts.close());

async function person() {
  const { id, token } = await accounts.register();
  const ask = (method: string, path: string, body?: unknown) => accounts.call(method, `/account/${path}`, body, token);
  return { id, token, ask, settings: (change: object) => ask('PATCH', 'settings', change) };
}

it('a person decides at which balance to be told, and reads it', async () => {
  const { ask, settings } = await person();
  expect((await ask('GET', 'settings')).body).toEqual({ low_balance_usd: '1.00' });
  expect((await settings({ low_balance_usd: '25.5' })).body).toEqual({ low_balance_usd: '25.50' });
  expect((await settings({})).body).toEqual({ low_balance_usd: '25.50' });
  expect((await settings({ low_balance_usd: null })).body).toEqual({ low_balance_usd: null });
  expect((await ask('GET', 'settings')).body).toEqual({ low_balance_usd: null });
  expect((await ask('GET', 'audit')).body.data[0]).toMatchObject({
    action: 'account.settings',
    details: { low_balance_usd: null },
    status: 200,
  });
});

it.each([
  [{ low_balance_usd: '-1' }, 'low_balance_usd'],
  [{ low_balance_usd: 5 }, 'low_balance_usd'],
  [{ low_balance_usd: '1e3' }, 'low_balance_usd'],
  [{ rpm: 5 }, 'rpm'],
])('settings of %j are refused naming the field', async (change, param) => {
  const { status, body } = await (await person()).settings(change);
  expect(status).toBe(400);
  expect(body.error.param).toBe(param);
});
