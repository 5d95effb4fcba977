import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTransaction, type Session, withMigrationLock } from './migration-lock.js';

const SCRIPT = join(import.meta.dirname, '../../roles.sql');

/**
 * Grants a role what the services need, and nothing else: `roles.sql`. Repeat it after every migration, because a new
 * table grants nothing to anybody. The address is the owner's.
 */
export function grantServiceRole(databaseUrl: string, role: string): Promise<void> {
  return withMigrationLock(databaseUrl, (session) => inTransaction(session, () => applyRoles(session, role)));
}

/** The same inside a transaction. */
export async function applyRoles(session: Session, role: string): Promise<void> {
  await session.query(`SELECT set_config('gateway.services_role', $1, true)`, [role]);
  await session.query(await readFile(SCRIPT, 'utf8'));
}
