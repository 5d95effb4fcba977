import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

let accounts: AccountInterface;

beforeAll(async () => {
  accounts = await AccountInterface.open();
});

afterAll(() => accounts.close());

async function person() {
  const { id, token } = await accounts.register();
  const send = (method: string, path: string, body?: unknown) => accounts.call(method, `/account/${path}`, body, token);
  return { id, token, send, settings: (change: object) => send('PATCH', 'settings', change) };
}

it('a person sets and reads the threshold of low balance', async () => {
  const { send, settings } = await person();
  expect((await send('GET', 'settings')).body).toEqual({ low_balance_usd: '1.00' });
  expect((await settings({ low_balance_usd: '25.5' })).body).toEqual({ low_balance_usd: '25.50' });
  expect((await settings({})).body).toEqual({ low_balance_usd: '25.50' });
  expect((await settings({ low_balance_usd: null })).body).toEqual({ low_balance_usd: null });
  expect((await send('GET', 'settings')).body).toEqual({ low_balance_usd: null });
  expect((await send('GET', 'audit')).body.data[0]).toMatchObject({
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
])('settings of %j are refused with the name of the field', async (change, param) => {
  const { status, body } = await (await person()).settings(change);
  expect(status).toBe(400);
  expect(body.error.param).toBe(param);
});
