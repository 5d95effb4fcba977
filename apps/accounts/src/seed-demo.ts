import { hashApiKey, isWellFormedApiKey } from '@gateway/contracts';
import {
  changePassword,
  createKey,
  type Database,
  findKeyBySha256,
  findPersonByEmail,
  listOrganisations,
  registerPerson,
} from '@gateway/postgres';
import { toKeySettings } from './keys/key-settings.js';
import { makeKey } from './keys/new-key.js';
import { hashPassword, verifyPassword } from './people/password.js';

/** The demo account's login, whose password the caller of the seed chooses. */
const EMAIL = 'demo@example.com';

export interface Demo {
  readonly accountId: string;
  readonly apiKey: string;
  readonly email: string;
}

/** What an earlier start has stored, outside of the database. */
export interface KnownDemo {
  readonly apiKey?: string | undefined;
  /** Undefined: no login is possible. */
  readonly password?: string | undefined;
}

async function demoAccount(database: Database, password: string | undefined): Promise<string> {
  const owner = { email: EMAIL, passwordHash: null, name: 'Demo', locale: 'en', timeZone: 'UTC' };
  await registerPerson(database, owner, { name: 'Demo', timeZone: 'UTC' });
  const person = await findPersonByEmail(database, EMAIL);
  const [organisation] = person === null ? [] : await listOrganisations(database, person.id);
  if (person === null || organisation === undefined)
    throw new Error('the demo account can neither be created nor found');
  // A change ends the sessions of its person, so the same password is not set again.
  if (password !== undefined && !(await verifyPassword(person.passwordHash, password))) {
    await changePassword(database, person.id, await hashPassword(password), null);
  }
  return organisation.account.id;
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
export async function seedDemo(database: Database, { apiKey, password }: KnownDemo): Promise<Demo> {
  const accountId = await demoAccount(database, password);
  return { accountId, apiKey: await demoKey(database, accountId, apiKey), email: EMAIL };
}
