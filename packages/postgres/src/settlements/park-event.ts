import type { Database } from '../database.js';
import { entryIdOf, type RecordableSettlement } from './record-settlements.js';

/** Stores an event that the ledger refuses, whole, for a person to inspect. */
export async function parkEvent({ prisma }: Database, entry: RecordableSettlement, reason: string): Promise<void> {
  const payload = JSON.stringify(entry.event);
  await prisma.$executeRaw`
    INSERT INTO parked_event (stream_entry_id, payload, reason)
    VALUES (${entryIdOf(entry)}, ${payload}, ${reason.replaceAll('\0', '')}) ON CONFLICT DO NOTHING`;
}

export async function countParkedEvents({ prisma }: Database): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM parked_event`;
  return row?.count ?? 0;
}
