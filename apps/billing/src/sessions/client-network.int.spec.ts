import { afterEach, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

let accounts: AccountInterface;

afterEach(() => accounts.close());

/** The addresses that the audit log has of two guesses, one from each of two people behind the same proxy. */
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

it('a person is known by the address that a trusted proxy tells, whatever port stands behind it', async () => {
  expect(await addressesOfGuesses(['127.0.0.1'])).toEqual(['2001:db8::7', '203.0.113.7']);
});

it('nobody is known by an address that they tell themselves', async () => {
  expect(await addressesOfGuesses(undefined)).toEqual(['127.0.0.1', '127.0.0.1']);
});

it('guesses from all addresses of one IPv6 network are counted together, and those from the next are not', async () => {
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
