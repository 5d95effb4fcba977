import { type Database, type KeyOwner, listHashesOfLine, revokeKey } from '@gateway/postgres';
import type { KeyCacheInvalidator } from '@gateway/redis';
import { unknownKey } from './unknown-key.js';

/**
 * Revokes a key for good, and ends it at the edges. A repetition ends it there again. Throws 404 if the owner has no open key of
 * this id.
 */
export async function endKey(
  database: Database,
  keyCacheInvalidator: KeyCacheInvalidator,
  owner: KeyOwner,
  id: string,
): Promise<void> {
  const hashes = await listHashesOfLine(database, owner, id);
  await keyCacheInvalidator.fence(hashes);
  const revoked = await revokeKey(database, owner, id, new Date());
  await keyCacheInvalidator.invalidate(revoked?.hashes ?? hashes);
  if (revoked === null) throw unknownKey();
}
