import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

let accounts: AccountInterface;

beforeAll(async () => {
  accounts = await AccountInterface.open();
});

afterAll(() => accounts.close());

async function person() {
  const { token } = await accounts.register();
  return (method: string, body?: unknown) => accounts.call(method, '/account/storage', body, token);
}

it('shows an empty account with its limits, and changes how long results stay', async () => {
  const storage = await person();
  const empty = {
    object: 'storage',
    used_bytes: 0,
    limit_bytes: 10 * 1024 ** 3,
    files: 0,
    limit_files: 10_000,
    by_kind: { files: 0, requests: 0, responses: 0 },
    retention: { media_days: 30, result_hours: 24, is_default: true },
  };
  expect((await storage('GET')).body).toEqual(empty);
  const changed = await storage('PATCH', { media_days: 7 });
  expect(changed.body).toEqual({ ...empty, retention: { media_days: 7, result_hours: 24, is_default: false } });
  expect((await storage('PATCH', { result_hours: 2 })).body.retention).toMatchObject({
    media_days: 7,
    result_hours: 2,
  });
  expect((await storage('PATCH', { media_days: null, result_hours: null })).body).toEqual(empty);
});

it.each([
  [{ media_days: 0 }, 'media_days'],
  [{ media_days: 366 }, 'media_days'],
  [{ result_hours: 721 }, 'result_hours'],
  [{ result_hours: '5' }, 'result_hours'],
  [{ days: 5 }, 'days'],
])('refuses %j and names the field', async (change, param) => {
  const { status, body } = await (await person())('PATCH', change);
  expect([status, body.error.param]).toEqual([400, param]);
});
