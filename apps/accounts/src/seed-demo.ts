import { hashApiKey, isWellFormedApiKey } from '@gateway/contracts';
import {
  createKey,
  type Database,
  findKeyBySha256,
  findPersonByEmail,
  listOrganisations,
  registerPerson,
} from '@gateway/postgres';
import { toKeySettings } from './keys/key-settings.js';
import { makeKey } from './keys/new-key.js';

const EMAIL = 'demo@localhost';

export interface Demo {
  readonly accountId: string;
  readonly apiKey: string;
}

/** The owner has no password, so no login is possible. */
async function demoAccount(database: Database): Promise<string> {
  const owner = { email: EMAIL, passwordHash: null, name: 'Demo', locale: 'en', timeZone: 'UTC' };
  const opened = await registerPerson(database, owner, { name: 'Demo', timeZone: 'UTC' });
  if (opened !== null) return opened.accountId;
  const person = await findPersonByEmail(database, EMAIL);
  const [organisation] = person === null ? [] : await listOrganisations(database, person.id);
  if (organisation === undefined) throw new Error('the demo account can neither be created nor found');
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
export async function seedDemo(database: Database, knownKey: string | undefined): Promise<Demo> {
  const accountId = await demoAccount(database);
  return { accountId, apiKey: await demoKey(database, accountId, knownKey) };
}
