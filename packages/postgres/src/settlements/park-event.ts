import type { Database } from '../database.js';
import { entryIdOf, type RecordableSettlement } from './record-settlements.js';

/** Stores an event that the ledger refuses, whole, for a person to inspect. */
export async function parkEvent({ prisma }: Database, entry: RecordableSettlement, reason: string): Promise<void> {
  const payload = JSON.stringify(entry.event);
  await prisma.parkedEvent.createMany({
    data: [{ streamEntryId: entryIdOf(entry), payload, reason: reason.replaceAll('\0', '') }],
    skipDuplicates: true,
  });
}

export const countParkedEvents = ({ prisma }: Database): Promise<number> => prisma.parkedEvent.count();
