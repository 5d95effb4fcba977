import type { AccountEvent, AccountEventType, AccountId } from '@gateway/contracts';
import type { Database } from '../database.js';

export interface EventQuery {
  /** The id of the last event that the reader has seen; null: from the oldest that is kept. */
  readonly after: string | null;
  readonly limit: number;
  /** Only those about this one. */
  readonly subject?: string;
  readonly types?: readonly AccountEventType[];
  /** Only those of test keys. */
  readonly isTest?: boolean;
}

interface EventRow {
  readonly publicId: string;
  readonly accountId: string;
  readonly type: string;
  readonly subject: string;
  readonly data: unknown;
  readonly isTest: boolean;
  readonly createdAt: Date;
}

const asEvent = ({ publicId, ...row }: EventRow): AccountEvent => ({
  ...row,
  id: publicId,
  accountId: row.accountId as AccountId,
  type: row.type as AccountEventType,
});

/**
 * The account's events after the one that its reader saw last, the oldest first: none is missed, because those of one
 * account are committed in their order. Null: that event is not one of the account, or no longer kept.
 */
export async function eventsAfter(
  { prisma }: Database,
  accountId: string,
  { after, limit, subject, types, isTest }: EventQuery,
): Promise<readonly AccountEvent[] | null> {
  const seen = after === null ? null : await prisma.accountEvent.findFirst({ where: { publicId: after, accountId } });
  if (after !== null && seen === null) return null;
  const rows = await prisma.accountEvent.findMany({
    where: {
      accountId,
      ...(seen === null ? {} : { id: { gt: seen.id } }),
      ...(subject === undefined ? {} : { subject }),
      ...(types === undefined ? {} : { type: { in: [...types] } }),
      ...(isTest === undefined ? {} : { isTest }),
    },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(asEvent);
}
