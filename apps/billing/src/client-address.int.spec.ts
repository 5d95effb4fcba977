import { afterEach, expect, it, jest } from '@jest/globals';
import { AccountInterface } from './test-support/account-interface.js';

jest.setTimeout(30_000);

let accounts: AccountInterface;

afterEach(() => accounts.close());

/** The addresses that the audit log has of two guesses, one from each of two people behind the same proxy. */
async function addressesOfGuesses(trustedProxies: string[] | undefined) {
  accounts = await AccountInterface.open({ trustedProxies });
  for (const address of ['203.0.113.7', '2001:db8::7']) {
    await fetch(`${accounts.address}/account/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email: 'a@example.com', password: 'a guess' }),
    });
  }
  const { body } = await accounts.call('GET', '/admin/audit', undefined, accounts.adminToken);
  return (body.data as { ip: string }[]).map(({ ip }) => ip);
}

it('a person is known by the address that a trusted proxy tells, so that guessers use up their own attempts', async () => {
  expect(await addressesOfGuesses(['127.0.0.1'])).toEqual(['2001:db8::7', '203.0.113.7']);
});

it('nobody is known by an address that they tell themselves', async () => {
  expect(await addressesOfGuesses(undefined)).toEqual(['127.0.0.1', '127.0.0.1']);
});
