import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from './migration-lock.js';

const SCRIPT = join(import.meta.dirname, '../../roles.sql');

/** A role of the database by the services that connect as it; undefined: they connect as another one. */
export interface ServiceRoles {
  /** Billing, the edges and the workers: they append to the ledger. */
  readonly services?: string | undefined;
  /** `accounts`, which people reach: it writes no ledger table. */
  readonly accounts?: string | undefined;
}

/**
 * Grants each role what its services need, and nothing else: `roles.sql`. Runs in the transaction of a migration,
 * because a new table grants nothing to anybody. The session is the owner's.
 */
export async function grantServiceRoles(session: Session, { services, accounts }: ServiceRoles): Promise<void> {
  const script = await readFile(SCRIPT, 'utf8');
  for (const [kind, role] of Object.entries({ services, accounts })) {
    if (role === undefined) continue;
    await session.query(`SELECT set_config('gateway.role', $1, true), set_config('gateway.role_of', $2, true)`, [
      role,
      kind,
    ]);
    await session.query(script);
  }
}
