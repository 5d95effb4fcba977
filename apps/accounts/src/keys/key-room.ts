import { GatewayError } from '@gateway/contracts';
import { countKeys, type Database } from '@gateway/postgres';

const MAX_KEYS = 1_000;

/**
 * The list of keys has one page, so their number is limited. Requests at the same time may exceed the limit by their number.
 * Throws a 400 for an account without room for another key.
 */
export async function requireKeyRoom(database: Database, accountId: string): Promise<void> {
  if ((await countKeys(database, accountId)) < MAX_KEYS) return;
  const message = `An account has at most ${MAX_KEYS} keys, with the child keys that have not ended. Delete one first.`;
  throw new GatewayError('invalid_request', message);
}
