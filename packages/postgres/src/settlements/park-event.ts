import type { Database } from '../database.js';
import type { RecordableSettlement } from './record-settlements.js';

/** Stores an event that the ledger refuses, whole, for a person to inspect. */
export async function parkEvent(
  { prisma }: Database,
  { streamId, event }: RecordableSettlement,
  reason: string,
): Promise<void> {
  const payload = JSON.stringify(event);
  await prisma.parkedEvent.createMany({
    data: [{ streamEntryId: streamId, payload, reason: reason.replaceAll('\0', '') }],
    skipDuplicates: true,
  });
}

export const countParkedEvents = ({ prisma }: Database): Promise<number> => prisma.parkedEvent.count();
