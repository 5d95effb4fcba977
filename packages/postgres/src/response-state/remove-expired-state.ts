import type { Database } from '../database.js';

/** Removes up to `limit` expired responses and as many expired conversations. Returns the larger number. */
export async function removeExpiredState({ prisma }: Database, limit: number): Promise<number> {
  const responses = await prisma.$executeRaw`
    DELETE FROM stored_response WHERE id IN (
      SELECT id FROM stored_response WHERE expires_at < now() ORDER BY expires_at LIMIT ${limit}::int)`;
  const conversations = await prisma.$executeRaw`
    DELETE FROM conversation WHERE id IN (
      SELECT id FROM conversation WHERE expires_at < now() ORDER BY expires_at LIMIT ${limit}::int)`;
  return Math.max(responses, conversations);
}
