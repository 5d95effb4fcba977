import type { Session } from './migration-lock.js';

/**
 * Lets PostgreSQL end a statement whose client has gone. A service gives a statement up after a time and closes
 * its connection, and a killed one leaves its own. Without this PostgreSQL works on until it has rows to send. A database of
 * another owner, and a machine that cannot look at its connections, stay as they are.
 */
export async function endAbandonedStatements(session: Session): Promise<void> {
  await session.query(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET client_connection_check_interval = %L', current_database(), '5s');
  EXCEPTION WHEN insufficient_privilege OR invalid_parameter_value THEN
    RAISE WARNING 'statements without a client are not ended: %', SQLERRM;
  END $$`);
}
