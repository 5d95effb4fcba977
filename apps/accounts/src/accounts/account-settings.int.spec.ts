import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

let accounts: AccountInterface;

beforeAll(async () => {
  accounts = await AccountInterface.open();
});

afterAll(() => accounts.close());

async function person() {
  const { id, email, token } = await accounts.register();
  const send = (method: string, path: string, body?: unknown) => accounts.call(method, `/account/${path}`, body, token);
  return { id, email, token, send, settings: (change: object) => send('PATCH', 'settings', change) };
}

it('a person sets and reads the threshold of low balance', async () => {
  const { send, settings, email } = await person();
  expect((await send('GET', 'settings')).body).toEqual({
    name: '',
    email,
    low_balance_usd: '1.00',
    time_zone: 'UTC',
    caps: [],
  });
  expect((await settings({ low_balance_usd: '25.5' })).body).toMatchObject({ low_balance_usd: '25.50' });
  expect((await settings({})).body).toMatchObject({ low_balance_usd: '25.50' });
  expect((await settings({ low_balance_usd: null })).body).toMatchObject({ low_balance_usd: null });
  expect((await send('GET', 'settings')).body).toMatchObject({ low_balance_usd: null });
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
  [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
  [{ caps: [{ period: 'day', measure: 'usd', limit: '-1' }] }, 'caps[0].limit'],
])('settings of %j are refused with the name of the field', async (change, param) => {
  const { status, body } = await (await person()).settings(change);
  expect(status).toBe(400);
  expect(body.error.param).toBe(param);
});

it('a person caps the account by its own calendar', async () => {
  const { send, settings } = await person();
  const caps = [{ period: 'month', measure: 'requests', limit: 100, hard: false }];
  const { body } = await settings({ time_zone: 'America/New_York', caps });
  expect(body).toMatchObject({ time_zone: 'America/New_York', caps: [{ ...caps[0], used: 0 }] });
  // The first of a month in New York is four or five hours after that of UTC.
  expect(body.caps[0].resets_at).toMatch(/-01T0[45]:00:00\.000Z$/);
  expect((await send('GET', 'settings')).body).toEqual(body);
  expect((await settings({ caps: [] })).body.caps).toEqual([]);
});
