import type { Database } from '../database.js';

/**
 * Removes up to `limit` events that are older than `keepMs`, with their deliveries and attempts, and returns their number.
 * An event with a pending delivery stays. Expired secrets and endpoints without deliveries go too.
 */
export async function removeExpiredEvents({ prisma }: Database, keepMs: number, limit: number): Promise<number> {
  const removed = await prisma.$executeRaw`
    DELETE FROM account_event WHERE id IN (
      SELECT event.id FROM account_event AS event
        WHERE event.id < first_event_since(NULL, now() - ${keepMs}::bigint * interval '1 millisecond')
          AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE event_id = event.id AND state = 'pending')
        ORDER BY event.id LIMIT ${limit}::int)`;
  await prisma.$executeRaw`DELETE FROM webhook_secret WHERE expires_at < now()`;
  await prisma.$executeRaw`
    DELETE FROM webhook_endpoint WHERE deleted_at < now() - ${keepMs}::bigint * interval '1 millisecond'
      AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE endpoint_id = webhook_endpoint.id)`;
  return removed;
}
