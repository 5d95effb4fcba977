import { afterEach, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

let accounts: AccountInterface;

afterEach(() => accounts.close());

/** The addresses in the audit log after two guesses by two clients behind the same proxy. */
async function addressesOfGuesses(trustedProxies: string[] | undefined) {
  accounts = await AccountInterface.open({ trustedProxies });
  for (const address of ['203.0.113.7:51234', '[2001:db8::7]:443']) {
    await fetch(`${accounts.address}/account/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email: 'a@example.com', password: 'a guess' }),
    });
  }
  const { body } = await accounts.call('GET', '/admin/audit', undefined, accounts.adminToken);
  return (body.data as { ip: string }[]).map(({ ip }) => ip);
}

it('uses the client address of a trusted proxy without its port', async () => {
  expect(await addressesOfGuesses(['127.0.0.1'])).toEqual(['2001:db8::7', '203.0.113.7']);
});

it('ignores an address that the client itself sends', async () => {
  expect(await addressesOfGuesses(undefined)).toEqual(['127.0.0.1', '127.0.0.1']);
});

it('counts guesses of one IPv6 network together, and those of the next network apart', async () => {
  accounts = await AccountInterface.open({ trustedProxies: ['127.0.0.1'] });
  const guessFrom = async (address: string) => {
    const { status } = await fetch(`${accounts.address}/account/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email: 'guessed@example.com', password: 'a guess' }),
    });
    return status;
  };
  for (let host = 1; host <= 10; host += 1) expect(await guessFrom(`2001:db8::${host}:1`)).toBe(401);
  expect(await guessFrom('2001:db8:0:0:ffff::')).toBe(429);
  expect(await guessFrom('2001:db8:0:1::1')).toBe(401);
});

it('lets a right password pass from a known network, however many strangers guess', async () => {
  accounts = await AccountInterface.open({ trustedProxies: ['127.0.0.1'] });
  const person = { email: 'person@example.com', password: 'correct horse' };
  const post = async (path: string, address: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const url = `${accounts.address}/account/${path}`;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };
  expect(await post('register', '198.51.100.1', person)).toBe(201);
  const guess = { ...person, password: 'a guess' };
  for (let network = 1; network <= 101; network += 1) await post('login', `2001:db8:0:${network}::1`, guess);
  expect(await post('login', '2001:db8:0:ffff::1', guess)).toBe(429);
  expect(await post('login', '203.0.113.9', person)).toBe(429);
  expect(await post('login', '198.51.100.1', person)).toBe(200);
});

it('stops a network that lists who is registered', async () => {
  accounts = await AccountInterface.open();
  const register = (email: string) => accounts.call('POST', '/account/register', { email, password: 'correct horse' });
  expect((await register('taken@example.com')).status).toBe(201);
  for (let attempt = 1; attempt <= 10; attempt += 1) expect((await register('taken@example.com')).status).toBe(400);
  const refused = await register('taken@example.com');
  expect(refused.status).toBe(429);
  const message = expect.stringMatching(/^Too many attempts\. Try again in \d+ minutes\.$/);
  expect(refused.body).toMatchObject({ error: { message } });
  expect((await register('free@example.com')).status).toBe(201);
});

it('refuses a key from an address that it does not allow, as the edge does', async () => {
  accounts = await AccountInterface.open({ trustedProxies: ['127.0.0.1'] });
  const { token } = await accounts.register();
  const settings = { name: 'k', allowed_ips: ['203.0.113.0/24'], scopes: ['account:read'] };
  const { body } = await accounts.call('POST', '/account/keys', settings, token);
  const statusFrom = async (path: string, address: string): Promise<number> => {
    const headers = { authorization: `Bearer ${body.key}`, 'x-forwarded-for': address };
    return (await fetch(`${accounts.address}${path}`, { headers })).status;
  };
  for (const path of ['/account/balance', '/account/ledger', '/account/requests', '/account/events']) {
    expect([path, await statusFrom(path, '198.51.100.7')]).toEqual([path, 403]);
    expect([path, await statusFrom(path, '203.0.113.7')]).toEqual([path, 200]);
  }
});
