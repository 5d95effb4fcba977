import type { AccountEvent, AccountEventType, AccountId } from '@gateway/contracts';
import type { Database } from '../database.js';
import { joined, sql } from '../sql.js';

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
  const [last] = await prisma.$queryRaw<Pick<EventRow, 'publicId'>[]>`
    SELECT public_id AS "publicId" FROM account_event WHERE account_id = ${accountId} ORDER BY id DESC LIMIT 1`;
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
  const lastId = after === null ? null : await idOf({ prisma }, accountId, after);
  if (lastId === undefined) return null;
  const conditions = [
    sql`account_id = ${accountId}`,
    ...(lastId === null ? [] : [sql`id > ${lastId}`]),
    ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
    ...(types === undefined ? [] : [sql`type = ANY (${[...types]}::text[])`]),
    ...(isTest === undefined ? [] : [sql`is_test = ${isTest}`]),
  ];
  const rows = await prisma.$queryRaw<EventRow[]>`
    SELECT public_id AS "publicId", account_id AS "accountId", type, subject, data, is_test AS "isTest",
      created_at AS "createdAt"
    FROM account_event WHERE ${joined(conditions, ' AND ')} ORDER BY id LIMIT ${limit}::int`;
  return rows.map(asEvent);
}

/** Undefined: the account has no such event. */
async function idOf(
  { prisma }: Pick<Database, 'prisma'>,
  accountId: string,
  publicId: string,
): Promise<bigint | undefined> {
  const [event] = await prisma.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM account_event WHERE public_id = ${publicId} AND account_id = ${accountId}`;
  return event?.id;
}
