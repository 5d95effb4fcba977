import { hashApiKey, isWellFormedApiKey, newAccountId } from '@gateway/contracts';
import { createAccount, createKey, type Database, findAccountByEmail, findKeyBySha256 } from '@gateway/postgres';
import { toKeySettings } from './keys/key-settings.js';
import { makeKey } from './keys/new-key.js';

const EMAIL = 'demo@localhost';

export interface Demo {
  readonly accountId: string;
  readonly apiKey: string;
}

/** The account has no password, so no login is possible. */
async function demoAccount(database: Database): Promise<string> {
  const created = await createAccount(database, { id: newAccountId(), email: EMAIL, passwordHash: null });
  const account = created ?? (await findAccountByEmail(database, EMAIL));
  if (account === null) throw new Error('the demo account can neither be created nor found');
  return account.id;
}

/** The known key if it is valid or can be created, else a new one. */
async function demoKey(database: Database, accountId: string, knownKey: string | undefined): Promise<string> {
  const isUsable = knownKey !== undefined && isWellFormedApiKey(knownKey);
  const found = isUsable ? await findKeyBySha256(database, hashApiKey(knownKey)) : null;
  if (isUsable && found?.accountId === accountId && !found.isRevoked) return knownKey;
  const { key, stored } = makeKey(accountId, isUsable && found === null ? knownKey : undefined);
  await createKey(database, stored, toKeySettings({ name: 'Demo key', scopes: ['account:read'] }));
  return key;
}

/** Creates the demo account and its key. A repeated call changes nothing. */
export async function seedDemo(database: Database, knownKey: string | undefined): Promise<Demo> {
  const accountId = await demoAccount(database);
  return { accountId, apiKey: await demoKey(database, accountId, knownKey) };
}
