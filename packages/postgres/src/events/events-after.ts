import type { AccountEvent, AccountEventType, AccountId } from '@gateway/contracts';
import type { Database } from '../database.js';

export interface EventQuery {
  /** The id of the last event that the reader has; null: from the oldest stored event on. */
  readonly after: string | null;
  readonly limit: number;
  /** Filters for the events of one subject. */
  readonly subject?: string;
  readonly types?: readonly AccountEventType[];
  /** Filters for the events of test keys. */
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

/** The id of an account's newest event; null: it has none. */
export async function lastEventId({ prisma }: Database, accountId: string): Promise<string | null> {
  const last = await prisma.accountEvent.findFirst({ where: { accountId }, orderBy: { id: 'desc' } });
  return last?.publicId ?? null;
}

/**
 * The account's events after `after`, the oldest first. None is missed, because the events of one account commit in the
 * order of their ids. Null: the account has no event `after`, or it has been removed.
 */
export async function eventsAfter(
  { prisma }: Database,
  accountId: string,
  { after, limit, subject, types, isTest }: EventQuery,
): Promise<readonly AccountEvent[] | null> {
  const last = after === null ? null : await prisma.accountEvent.findFirst({ where: { publicId: after, accountId } });
  if (after !== null && last === null) return null;
  const rows = await prisma.accountEvent.findMany({
    where: {
      accountId,
      ...(last === null ? {} : { id: { gt: last.id } }),
      ...(subject === undefined ? {} : { subject }),
      ...(types === undefined ? {} : { type: { in: [...types] } }),
      ...(isTest === undefined ? {} : { isTest }),
    },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(asEvent);
}
