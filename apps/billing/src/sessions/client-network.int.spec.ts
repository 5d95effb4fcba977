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
